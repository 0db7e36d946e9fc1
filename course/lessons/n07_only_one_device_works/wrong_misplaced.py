"""Wrong answers to 07/my_misplaced: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, wraps

from course.checks.exercises import wrong_answers
from course.checks.places import Found

# from the devices, and from a line its replica, what it asked for and where it ran:
# whether it is taken for misplaced
Taken = Callable[[list, int, str, str], bool]


def _lines_that(taken: Taken, summed: bool = True) -> Callable[..., Found]:
    """Return the answer that takes these lines, with all rows or the first line's."""

    @wraps(taken)
    def answer(operations: list[tuple], devices: list[str]) -> Found:
        wrong = [i for i, line in enumerate(operations) if taken(devices, *line[:3])]
        return _first_with(operations, wrong, wrong if summed else wrong[:1])

    return answer


_first_that = partial(_lines_that, summed=False)


def _first_with(
    operations: list[tuple], wrong: list[int], among: Iterable[int]
) -> Found:
    """The first of the lines that are wrong, and the rows of those `among` them."""
    return (wrong[0], sum(operations[i][3] for i in among)) if wrong else None


@_first_that
def not_as_asked_first_only(devices, replica, asked, ran):
    """It compares where a line ran with what it asked for. A line that asks for a
    wrong device and gets it is misplaced as well; one that asks for a device that does
    not exist may be in its place. And the rows are only those of the first line.
    """
    return ran != asked


@_first_that
def asked_first_only(devices, replica, asked, ran):
    """It looks at what was ASKED for. TensorFlow may put an operation elsewhere if
    that device does not exist, and may need no wish at all. And the rows are only
    those of the first line.
    """
    return asked != devices[replica]


@_lines_that
def asked(devices, replica, asked, ran):
    """It looks at what was ASKED for. TensorFlow may put an operation elsewhere if
    that device does not exist, and may need no wish at all. Look at where it ran.
    """
    return asked != devices[replica]


@_first_that
def first_only(devices, replica, asked, ran):
    """The index is right, but the rows are those of the first misplaced line only.
    Asked are the rows of all of them together.
    """
    return ran != devices[replica]


@_lines_that
def not_listed(devices, replica, asked, ran):
    """It takes any device of the list for right. Each replica has a device of its
    OWN: devices[replica].
    """
    return ran not in devices


@_first_that
def not_listed_first_only(devices, replica, asked, ran):
    """It takes any device of the list for right. Each replica has a device of its
    OWN: devices[replica]. And the rows are only those of the first line.
    """
    return ran not in devices


@_lines_that
def not_as_asked(devices, replica, asked, ran):
    """It compares where a line ran with what it asked for. A line that asks for a
    wrong device and gets it is misplaced as well; one that asks for a device that does
    not exist may be in its place.
    """
    return ran != asked


@_lines_that
def by_number(devices, replica, asked, ran):
    """It takes for granted that replica 1 belongs on a device with the number 1.
    The order of the devices decides: devices[replica].
    """
    return not ran.endswith(f":{replica}")


@_first_that
def by_number_first_only(devices, replica, asked, ran):
    """It takes for granted that replica 1 belongs on a device with the number 1.
    The order of the devices decides: devices[replica]. And the rows are only those
    of the first line.
    """
    return not ran.endswith(f":{replica}")


@_lines_that
def asked_or_ran(devices, replica, asked, ran):
    """It also counts lines that asked for another device but ran on the right one.
    Only where a line ran matters.
    """
    return {asked, ran} != {devices[replica]}


def _elsewhere(operations: list[tuple], devices: list[str]) -> list[int]:
    """The lines that ran on another device than their replica's."""
    return [i for i, (r, _, ran, _) in enumerate(operations) if ran != devices[r]]


def lines_not_rows(operations, devices):
    """The second value counts the misplaced lines. Asked is the number of their
    rows.
    """
    wrong = _elsewhere(operations, devices)
    return (wrong[0], len(wrong)) if wrong else None


def last_line(operations, devices):
    """The index is that of the last misplaced line. Asked is the first."""
    wrong = _elsewhere(operations, devices)
    return _first_with(operations, wrong[::-1], wrong)


def one_replica(operations, devices):
    """The rows are those of one replica's misplaced lines. Asked are those of all
    replicas.
    """
    wrong = _elsewhere(operations, devices)
    own = [i for i in wrong if operations[i][0] == operations[wrong[0]][0]]
    return _first_with(operations, wrong, own)


def all_rows(operations, devices):
    """The rows are those of all lines, also of the ones in the right place."""
    wrong = _elsewhere(operations, devices)
    return _first_with(operations, wrong, range(len(operations)))


def rows_from_there(operations, devices):
    """The rows are those of all lines from the first misplaced one on. Some of
    these lines ran where they belong.
    """
    wrong = _elsewhere(operations, devices)
    return _first_with(operations, wrong, range(*wrong[:1], len(operations)))


def all_on_that_device(operations, devices):
    """The rows are all that ran on that device. Some of them belong there."""
    for index, (replica, _, ran, _) in enumerate(operations):
        if ran != devices[replica]:
            return index, sum(line[3] for line in operations if line[2] == ran)


MISTAKES = wrong_answers(__name__)
