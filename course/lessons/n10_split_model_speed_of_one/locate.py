"""Locate: which visit of a stage begins later than the pipeline can explain?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n10_split_model_speed_of_one.pipeline import STAGES
from course.lessons.n10_split_model_speed_of_one.wrong_first_stall import (
    MISTAKES,
    Visit,
    delays,
    first_above,
)


@dataclass(frozen=True)
class Record:
    """The forward visits of a run, in order of begin, and the slack, in ms."""

    label: str
    visits: tuple[Visit, ...]
    slack: int

    def __str__(self) -> str:
        return f"{self.label} ({len(self.visits)} visits, slack {self.slack})"


def _run(
    label: str,
    slack: int,
    work: np.ndarray,
    order: list[int],
    held: dict[tuple[int, int], int],
    chained: bool = False,
) -> Record:
    """Let micro-batches pass the stages.

    work: (stages, micro-batches), ms; held: how long a visit is held up; chained:
    whether a micro-batch waits until the one before is through.
    """
    free, visits, last_end = [0] * STAGES, [], 0
    for micro in order:
        there = last_end if chained else 0
        for stage in range(STAGES):
            begin = max(free[stage], there) + held.get((stage, micro), 0)
            there = free[stage] = begin + int(work[stage, micro])
            visits.append((stage, micro, begin, there))
        last_end = there
    return Record(label, tuple(sorted(visits, key=lambda v: (v[2], v[0]))), slack)


def draw(rng: np.random.Generator) -> list[Record]:
    """Draw a pipeline without fault, and some with micro-batches held up."""

    def work(low: int = 31, high: int = 45, micro: int = 4) -> np.ndarray:
        return rng.integers(low, high, (STAGES, micro))

    slow = work()
    slow[1] += 40  # later stages have gaps, which this explains
    first, second = int(rng.integers(13, 19)), int(rng.integers(30, 39))
    both = {(2, 1): first, (1, 3): second + 20}
    more, most = int(rng.integers(3, 9)), int(rng.integers(50, 59))
    low, high = int(rng.integers(5, 9)), int(rng.integers(13, 17))
    held = {(0, 1): high - 2, (1, 2): high + more, (2, 3): most, (3, 4): most - 25}
    in_order = [0, 1, 2, 3]
    return [
        _run("a pipeline without a fault", low, work(), in_order, {}),
        _run("micro-batches one after the other", 10, work(), in_order, {}, True),
        _run("one slow stage", high, slow, in_order, {(1, 2): high}),
        _run("two visits held up", low, work(), in_order, both),
        _run("another order", 10, work(), [0, 2, 1, 3], {(1, 1): second}),
        _run("the first micro-batch held up", 10, work(), in_order, {(2, 0): second}),
        _run("five micro-batches", high, work(micro=5), [*in_order, 4], held),
    ]


def _first_stall(visits: list[Visit], slack: int) -> Found:
    """The first visit that begins late, and how late."""
    return first_above(delays(visits), slack)


MY_FIRST_STALL = finding(
    "10/my_first_stall",
    Place(("stage", "micro"), ("late",)),
    draw,
    given=lambda record: (list(record.visits), record.slack),
    find=_first_stall,
    nothing="every visit begins, with no more than the slack, as soon as its stage is "
    "free and its micro-batch there.",
    wanted="the first visit that begins more than the slack after its stage was free "
    "AND its micro-batch there, and how many ms after both.",
    mistakes=MISTAKES,
    usual={
        "from_one": "stages and micro-batches are counted from 1; both count from 0.",
        "swapped": "stage and micro-batch are swapped: (stage, micro, late).",
        "nothing_found": "it finds nothing in any of the recordings, yet in five of "
        "them a visit is late.",
    },
    right="Right on seven recordings, two of which have no fault.",
)
