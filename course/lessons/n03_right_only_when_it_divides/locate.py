"""Locate: the first step whose rows do not all count the same, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n03_right_only_when_it_divides.wrong_first_unequal import (
    MISTAKES,
    furthest,
    in_first_unequal,
    weights,
)


@dataclass(frozen=True, eq=False)
class Epochs:
    """How many rows each replica had, step by step: int64, shape (steps, replicas)."""

    counts: np.ndarray

    def __str__(self) -> str:
        steps = ["+".join(map(str, step)) for step in self.counts.tolist()]
        return f"the rows per step {', '.join(steps)}"


def draw(rng: np.random.Generator) -> list[Epochs]:
    """Draw epochs: even, uneven, with an empty replica, and one without a fault."""

    def epochs(*tails: tuple[int, ...], full: int = 4) -> Epochs:
        steps = []
        for tail in tails:
            steps += [(full,) * len(tail)] * int(rng.integers(1, 4)) + [tail]
        return Epochs(np.array(steps, np.int64))

    more = int(rng.integers(2, 4))
    return [
        epochs((2, 2), (more, 1), (1, 0)),
        epochs((2, 2, 2, 0), (2, 1, 0, 0)),
        epochs((2, 2, 1, 0), (2, 2, 2, 0)),
        Epochs(np.array([(3, 2), (1, 1)])),  # in the first step
        epochs((1, 1), (1, 0), full=3),
        epochs((1, 1, 1), (3, 3, 1), full=3),
        epochs((5, 2, 2)),  # the largest difference is not the largest factor
        # no fault; but in floating point, 1 / 3 / 15 is not 1 / 45
        epochs((15, 15, 15), (13, 13, 13), full=16),
    ]


@in_first_unequal
def first_unequal(counts: np.ndarray) -> Found:
    """Return the first step with unequal weights, the worst replica, its weight."""
    return furthest(counts), weights(counts)[furthest(counts)]


FIRST_UNEQUAL = finding(
    "03/my_first_unequal",
    Place(("step", "replica"), ("weight",)),
    draw,
    given=lambda epochs: (epochs.counts.copy(),),
    find=first_unequal,
    nothing="in every step, all rows have the same weight.",
    wanted="the first step in which rows do not get the weight 1 / (rows in the step), "
    "the replica whose rows are furthest from it, and the weight they get.",
    mistakes=MISTAKES,
    usual={"one_late": "the step is one too large: counts[0] is step 0 here."},
    right="Right on eight recordings, one of them without a fault.",
)
