"""Locate: where do two workers meet although they do not do the same?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n20_hangs_when_it_saves.wrong_first_meeting import (
    MISTAKES,
    Calls,
    first_meeting,
)

STEPS = 9


@dataclass(frozen=True)
class Recorded:
    """What two workers did: a label, and the calls of each."""

    label: str
    calls: tuple[Calls, Calls]

    def __str__(self) -> str:
        return self.label


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw pairs of logs that part for a reason each, and a healthy pair."""

    def number(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    def calls(
        log: int = 1,
        saves: tuple[int, ...] = (),
        checked: tuple[int, ...] = (),
        first: int = 0,
        steps: int = STEPS,
        checks_first: bool = False,
        files: bool = True,
    ) -> Calls:
        """One worker: it logs each `log`-th step, 0: never; it may keep no files."""
        found = []
        for k in range(first, steps):
            found.append((k, "step"))
            if log and k % log == 0:
                found.append((k, "log"))
            more = [(k, "save"), *([(k, "file")] * files)] * (k in saves)
            mean = [(k, "evaluate")] * (k in checked)
            found += [*mean, *more] if checks_first else [*more, *mean]
        return tuple(found)

    early, late = number(1, 3), number(4, 7)
    both = (early, late)
    ended = number(5, 8)
    return [
        Recorded(
            "two workers, one of which saves", (calls(saves=(late,)), calls(log=0))
        ),
        Recorded(
            "two workers, each of which saves by its own clock",
            (calls(2, (late,)), calls(3, (late + 1,))),
        ),
        Recorded(
            "two workers, one of which evaluates",
            (calls(saves=both), calls(0, both, (late,), files=False)),
        ),
        Recorded(
            "two workers, one of which stops early",
            (calls(0, (early,), steps=ended), calls(1, (early,))),
        ),
        Recorded(
            "two workers that were restored from two files",
            (calls(2, both, first=early), calls(0, both, first=early + 1)),
        ),
        Recorded(
            "two workers with callbacks in two orders",
            (calls(0, both, both), calls(2, both, both, checks_first=True)),
        ),
        Recorded(
            "two workers, one of which saves while the other evaluates",
            (calls(2, (early, late)), calls(0, (early,), (late,), files=False)),
        ),
        Recorded(
            "two workers that come to the end",
            (calls(1, both, both), calls(0, both, both, files=False)),
        ),
    ]


MY_FIRST_MEETING = finding(
    "20/my_first_meeting",
    Place(("i", "j")),
    draw,
    given=lambda case: tuple(map(list, case.calls)),
    find=first_meeting,
    nothing="all entries that meet are equal.",
    wanted="the first two entries that meet and differ; for a list that has ended, its "
    "length.",
    mistakes=MISTAKES,
    usual={
        "swapped": "the two are swapped. Return worker 0's entry first.",
        "from_one": "it counts the entries from 1; the first is entry 0.",
        "nothing_found": "it finds nothing in any recording.",
    },
    right="It names the two entries in every pair of logs, and none in the healthy.",
)
