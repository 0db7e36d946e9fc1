"""Locate: which multiplication is the first on a wrong device, how many rows in all?"""

from __future__ import annotations

from course.checks.exercises import Observation
from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n07_only_one_device_works.tables import Table, draw
from course.lessons.n07_only_one_device_works.wrong_misplaced import MISTAKES


def _misplaced(operations: list[tuple], devices: list[str]) -> Found:
    """The first line that ran elsewhere, with the rows of all such lines."""
    found = [
        (index, rows)
        for index, (replica, _, ran, rows) in enumerate(operations)
        if ran != devices[replica]
    ]
    return (found[0][0], sum(rows for _, rows in found)) if found else None


def _its_line(table: Table, got: Observation, truth: Observation) -> str:
    index = int(got.values[0])
    if not 0 <= index < len(table.lines) or index == truth.values[0]:
        return ""
    replica, asked, ran, _ = table.lines[index]
    return (
        f"Line {index} belongs to replica {replica}, whose device is "
        f"{table.devices[replica]}; it asked for {asked or 'nothing'} and ran on {ran}."
    )


MY_MISPLACED = finding(
    "07/my_misplaced",
    Place(("index",), ("rows",)),
    draw,
    given=lambda table: (list(table.lines), list(table.devices)),
    find=_misplaced,
    nothing="each multiplication ran on the device of its replica.",
    wanted="the index of the first multiplication that another device did than that of "
    "its replica, and the rows of all such multiplications together.",
    more=_its_line,
    mistakes=MISTAKES,
    usual={
        "one_late": "the index is one too large: the first line has the index 0.",
        "zero_for_none": "where no line is misplaced it returns (0, 0), which says "
        "that line 0 is. Asked is None there.",
        "nothing_found": "it finds nothing in any table. Compare where each line ran "
        "with devices[replica].",
    },
    right="Right on seven tables, two of them with nothing in a wrong place.",
)
