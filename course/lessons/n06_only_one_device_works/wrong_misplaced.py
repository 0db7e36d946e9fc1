"""Wrong answers to 06/my_misplaced: names are codes, docstrings causes."""

from __future__ import annotations


def asked_first_only(operations, devices):
    """It looks at what was ASKED for. TensorFlow may put an operation elsewhere if
    that device does not exist, and may need no wish at all. And the rows are only
    those of the first line.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if asked != devices[replica]
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None


def asked(operations, devices):
    """It looks at what was ASKED for. TensorFlow may put an operation elsewhere if
    that device does not exist, and may need no wish at all. Look at where it ran.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if asked != devices[replica]
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


def first_only(operations, devices):
    """The index is right, but the rows are those of the first misplaced line only.
    Asked are the rows of all of them together.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None


def not_listed(operations, devices):
    """It takes any device of the list for right. Each replica has a device of its
    OWN: devices[replica].
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran not in devices
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


def not_listed_first_only(operations, devices):
    """It takes any device of the list for right. Each replica has a device of its
    OWN: devices[replica]. And the rows are only those of the first line.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran not in devices
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None


def not_as_asked(operations, devices):
    """It compares where a line ran with what it asked for. A line that asks for a
    wrong device and gets it is misplaced as well.
    """
    wrong = [
        i for i, (replica, asked, ran, rows) in enumerate(operations) if ran != asked
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


def not_as_asked_first_only(operations, devices):
    """It compares where a line ran with what it asked for. A line that asks for a
    wrong device and gets it is misplaced as well. And the rows are only those of
    the first line.
    """
    wrong = [
        i for i, (replica, asked, ran, rows) in enumerate(operations) if ran != asked
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None


def by_number(operations, devices):
    """It takes for granted that replica 1 belongs on a device with the number 1.
    The order of the devices decides: devices[replica].
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != f"CPU:{replica}"
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


def by_number_first_only(operations, devices):
    """It takes for granted that replica 1 belongs on a device with the number 1.
    The order of the devices decides: devices[replica]. And the rows are only those
    of the first line.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != f"CPU:{replica}"
    ]
    return (wrong[0], operations[wrong[0]][3]) if wrong else None


def asked_or_ran(operations, devices):
    """It also counts lines that asked for another device but ran on the right one.
    Only where a line ran matters.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if asked != devices[replica] or ran != devices[replica]
    ]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


def lines_not_rows(operations, devices):
    """The second value counts the misplaced lines. Asked is the number of their
    rows.
    """
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], len(wrong)) if wrong else None


def last_line(operations, devices):
    """The index is that of the last misplaced line. Asked is the first."""
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[-1], sum(operations[i][3] for i in wrong)) if wrong else None


def one_replica(operations, devices):
    """The rows are those of one replica's misplaced lines. Asked are those of all
    replicas.
    """
    found = None
    for index, (replica, _, ran, rows) in enumerate(operations):
        if ran != devices[replica]:
            if found is None:
                found = [index, rows, replica]
            elif replica == found[2]:
                found[1] += rows
    return found and tuple(found[:2])


def all_rows(operations, devices):
    """The rows are those of all lines, also of the ones in the right place."""
    wrong = [
        i
        for i, (replica, asked, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (wrong[0], sum(line[3] for line in operations)) if wrong else None


def rows_from_there(operations, devices):
    """The rows are those of all lines from the first misplaced one on. Some of
    these lines ran where they belong.
    """
    first, total = None, 0
    for index, (replica, _, ran, rows) in enumerate(operations):
        if first is None and ran != devices[replica]:
            first = index
        if first is not None:
            total += rows
    return None if first is None else (first, total)


def all_on_that_device(operations, devices):
    """The rows are all that ran on that device. Some of them belong there."""
    for index, (replica, _, ran, _) in enumerate(operations):
        if ran != devices[replica]:
            return index, sum(line[3] for line in operations if line[2] == ran)


MISTAKES = (
    asked_first_only,
    asked,
    first_only,
    not_listed,
    not_listed_first_only,
    not_as_asked,
    not_as_asked_first_only,
    by_number,
    by_number_first_only,
    asked_or_ran,
    lines_not_rows,
    last_line,
    one_replica,
    all_rows,
    rows_from_there,
    all_on_that_device,
)
