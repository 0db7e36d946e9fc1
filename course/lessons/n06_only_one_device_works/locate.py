"""Locate: which multiplication is the first on a wrong device, how many rows in all?"""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Found, Place
from course.lessons.n06_only_one_device_works.tables import Table, draw
from course.lessons.n06_only_one_device_works.wrong_misplaced import MISTAKES

PLACE = Place(("index",), ("rows",))


def _misplaced(table: Table) -> Found:
    """The first line that ran elsewhere, with the rows of all such lines."""
    found = [
        (index, rows)
        for index, (replica, _, ran, rows) in enumerate(table.lines)
        if ran != table.devices[replica]
    ]
    return (found[0][0], sum(rows for _, rows in found)) if found else None


def _observe(function: Callable, table: Table) -> Observation:
    return PLACE.observation(function(list(table.lines), list(table.devices)))


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
    observe=_observe,
    expect=lambda table: PLACE.observation(_misplaced(table)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on seven tables, two of them with nothing in a wrong place.",
)
