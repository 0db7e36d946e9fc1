"""Locate: which row is the first to be read twice in its epoch, by whichever worker?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n13_identical_on_every_worker.worker_input import in_order
from course.lessons.n13_identical_on_every_worker.wrong_first_repeat import (
    MISTAKES,
    first_repeat,
)

Epochs = tuple  # epochs[e][k][worker]: the numbers of the rows, in order

PLACE = Place(("epoch", "step", "row"))


@dataclass(frozen=True)
class Reads:
    """What workers read: a label and the epochs."""

    label: str
    epochs: Epochs

    def __str__(self) -> str:
        return self.label


FINDERS = (first_repeat, *MISTAKES)


def draw(rng: np.random.Generator) -> list[Reads]:
    """Draw recordings in which every known mistake gives another answer."""
    while True:
        drawn = _candidates(rng)
        reads = [in_order(each.epochs) for each in drawn]
        answers = [[find(each) for each in reads] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _candidates(rng: np.random.Generator) -> list[Reads]:
    def order(rows: int) -> list[int]:
        return rng.permutation(rows).tolist()

    def steps(*own: list[int], share: int = 4) -> tuple:
        longest = max(map(len, own))
        return tuple(
            tuple(tuple(rows[k : k + share]) for rows in own)
            for k in range(0, longest, share)
        )

    def shards(rows: list[int], workers: int) -> list[list[int]]:
        return [rows[w::workers] for w in range(workers)]

    everywhere = [steps(o, o) for o in (order(24), order(24))]
    apart = [steps(*(order(22)[w::2] for w in range(2)), share=3) for _ in range(2)]
    three = [steps(*shards(order(27), 3), share=3) for _ in range(2)]
    late = steps(*(order(27)[w::3] for w in range(3)), share=3)
    healthy = [steps(*shards(order(21), 2)) for _ in range(3)]
    one, other = shards(order(25), 2)
    again = steps(one, (other[:7] + other)[:12], share=4)
    return [
        Reads("a run of 2 workers and 2 epochs", tuple(apart)),
        Reads("a run where one worker starts again", (again,)),
        Reads("a run of 3 workers and 3 epochs", (*three, late)),
        Reads("a run of 2 workers and 3 epochs", tuple(healthy)),
        Reads("a run of 2 workers, in lockstep", tuple(everywhere)),
    ]


def _observe(function: Callable, reads: Reads) -> Observation:
    return PLACE.observation(function(in_order(reads.epochs)))


def _compare(reads: Reads, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "in each of its epochs, no row is read twice.",
        "the epoch, the step and the number of the first row that was read before in "
        "the same epoch, by whichever worker.",
    )


MY_FIRST_REPEAT = Exercise(
    name="13/my_first_repeat",
    cases=draw,
    observe=_observe,
    expect=lambda reads: _observe(first_repeat, reads),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on five recordings, one of them healthy.",
)
