"""Locate: which multiplication is the first on a wrong device, how many rows in all?"""

from __future__ import annotations

from collections.abc import Callable

from course.exercises import Difference, Exercise, Observation
from course.lessons.n06_only_one_device_works.tables import Line, Table, draw
from course.places import Found, Place

PLACE = Place(("index",), ("rows",))
Wrong = Callable[[Line, tuple[str, ...]], bool]


def _misplaced(line: Line, devices: tuple[str, ...]) -> bool:
    replica, _, ran, _ = line
    return ran != devices[replica]


def _asked(line: Line, devices: tuple[str, ...]) -> bool:
    replica, asked, _, _ = line
    return asked != devices[replica]


def _not_listed(line: Line, devices: tuple[str, ...]) -> bool:
    return line[2] not in devices


def _not_as_asked(line: Line, devices: tuple[str, ...]) -> bool:
    return line[1] != line[2]


def _by_number(line: Line, devices: tuple[str, ...]) -> bool:
    return not line[2].endswith(f":{line[0]}")


def _either(line: Line, devices: tuple[str, ...]) -> bool:
    return _misplaced(line, devices) or _asked(line, devices)


def _found(table: Table, wrong: Wrong) -> list[int]:
    lines = enumerate(table.lines)
    return [i for i, line in lines if wrong(line, table.devices)]


def _answer(table: Table, wrong: Wrong, index: int = 0) -> Found:
    """The first place that is `wrong`, with the rows of all such places."""
    found = _found(table, wrong)
    total = sum(table.lines[i][3] for i in found)
    return (found[index], total) if found else None


def _first_only(table: Table, wrong: Wrong) -> Found:
    found = _found(table, wrong)
    return (found[0], table.lines[found[0]][3]) if found else None


def _count(table: Table) -> Found:
    found = _found(table, _misplaced)
    return (found[0], len(found)) if found else None


def _late(table: Table) -> Found:
    found = _answer(table, _misplaced)
    return (found[0] + 1, found[1]) if found else None


def _of_its_replica(table: Table) -> Found:
    found = _found(table, _misplaced)
    if not found:
        return None
    replica = table.lines[found[0]][0]
    rows = sum(table.lines[i][3] for i in found if table.lines[i][0] == replica)
    return found[0], rows


def _all_rows(table: Table) -> Found:
    found = _found(table, _misplaced)
    return (found[0], sum(line[3] for line in table.lines)) if found else None


def _from_there(table: Table) -> Found:
    found = _found(table, _misplaced)
    return (
        (found[0], sum(line[3] for line in table.lines[found[0] :])) if found else None
    )


def _on_that_device(table: Table) -> Found:
    found = _found(table, _misplaced)
    if not found:
        return None
    full = table.lines[found[0]][2]
    return found[0], sum(line[3] for line in table.lines if line[2] == full)


def _compare(table: Table, got: Observation, truth: Observation) -> Difference:
    difference = PLACE.difference(
        got,
        truth,
        "each multiplication ran on the device of its replica.",
        "the index of the first multiplication that RAN on another device than that "
        "of its replica, and the rows of all such multiplications together.",
    )
    index = int(got.values[0])
    if not 0 <= index < len(table.lines) or index == truth.values[0]:
        return difference
    replica, asked, ran, _ = table.lines[index]
    came = (
        f"{difference.came} Line {index} belongs to replica {replica}, whose device is "
        f"{table.devices[replica]}; it asked for {asked or 'nothing'} and ran on {ran}."
    )
    return Difference(came, difference.expected)


MY_MISPLACED = Exercise(
    name="06/my_misplaced",
    cases=draw,
    observe=lambda function, table: PLACE.observation(
        function(list(table.lines), list(table.devices))
    ),
    expect=lambda table: PLACE.observation(_answer(table, _misplaced)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "asked_first_only",
            lambda table: _first_only(table, _asked),
            "it looks at what was ASKED for. TensorFlow may put an operation elsewhere "
            "if that device does not exist, and may need no wish at all. And the rows "
            "are only those of the first line.",
        ),
        PLACE.mistake(
            "asked",
            lambda table: _answer(table, _asked),
            "it looks at what was ASKED for. TensorFlow may put an operation elsewhere "
            "if that device does not exist, and may need no wish at all. Look at where "
            "it ran.",
        ),
        PLACE.mistake(
            "first_only",
            lambda table: _first_only(table, _misplaced),
            "the index is right, but the rows are those of the first misplaced line "
            "only. Asked are the rows of all of them together.",
        ),
        PLACE.mistake(
            "not_listed",
            lambda table: _answer(table, _not_listed),
            "it takes any device of the list for right. Each replica has a device of "
            "its OWN: devices[replica].",
        ),
        PLACE.mistake(
            "not_listed_first_only",
            lambda table: _first_only(table, _not_listed),
            "it takes any device of the list for right. Each replica has a device of "
            "its OWN: devices[replica]. And the rows are only those of the first line.",
        ),
        PLACE.mistake(
            "not_as_asked",
            lambda table: _answer(table, _not_as_asked),
            "it compares where a line ran with what it asked for. A line that asks for "
            "a wrong device and gets it is misplaced as well.",
        ),
        PLACE.mistake(
            "not_as_asked_first_only",
            lambda table: _first_only(table, _not_as_asked),
            "it compares where a line ran with what it asked for. A line that asks for "
            "a wrong device and gets it is misplaced as well. And the rows are only "
            "those of the first line.",
        ),
        PLACE.mistake(
            "by_number",
            lambda table: _answer(table, _by_number),
            "it takes for granted that replica 1 belongs on a device with the number "
            "1. The order of the devices decides: devices[replica].",
        ),
        PLACE.mistake(
            "by_number_first_only",
            lambda table: _first_only(table, _by_number),
            "it takes for granted that replica 1 belongs on a device with the number "
            "1. The order of the devices decides: devices[replica]. And the rows are "
            "only those of the first line.",
        ),
        PLACE.mistake(
            "asked_or_ran",
            lambda table: _answer(table, _either),
            "it also counts lines that asked for another device but ran on the right "
            "one. Only where a line ran matters.",
        ),
        PLACE.mistake(
            "lines_not_rows",
            _count,
            "the second value counts the misplaced lines. Asked is the number of their "
            "rows.",
        ),
        PLACE.mistake(
            "one_late",
            _late,
            "the index is one too large: the first line has the index 0.",
        ),
        PLACE.mistake(
            "last_line",
            lambda table: _answer(table, _misplaced, -1),
            "the index is that of the last misplaced line. Asked is the first.",
        ),
        PLACE.mistake(
            "one_replica",
            _of_its_replica,
            "the rows are those of one replica's misplaced lines. Asked are those of "
            "all replicas.",
        ),
        PLACE.mistake(
            "all_rows",
            _all_rows,
            "the rows are those of all lines, also of the ones in the right place.",
        ),
        PLACE.mistake(
            "rows_from_there",
            _from_there,
            "the rows are those of all lines from the first misplaced one on. Some of "
            "these lines ran where they belong.",
        ),
        PLACE.mistake(
            "zeros_for_none",
            lambda table: _answer(table, _misplaced) or (0, 0),
            "where no line is misplaced it returns (0, 0), which says that line 0 is. "
            "Asked is None there.",
        ),
        PLACE.mistake(
            "all_on_that_device",
            _on_that_device,
            "the rows are all that ran on that device. Some of them belong there.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda table: None,
            "it finds nothing in any table. Compare where each line ran with "
            "devices[replica].",
        ),
    ),
    right="Right on seven tables, two of them with nothing in a wrong place.",
)
