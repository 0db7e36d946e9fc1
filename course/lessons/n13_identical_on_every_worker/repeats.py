"""Locate: which row is the first to be read twice in its epoch, by whichever worker?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n13_identical_on_every_worker.worker_input import in_order
from course.lessons.n13_identical_on_every_worker.wrong_first_repeat import (
    MISTAKES,
    first_repeat,
)

Epochs = tuple  # epochs[e][k][worker]: the numbers of the rows, in order


@dataclass(frozen=True)
class Reads:
    """What workers read: a label and the epochs."""

    label: str
    epochs: Epochs

    def __str__(self) -> str:
        return self.label


def draw(rng: np.random.Generator) -> list[Reads]:
    """Draw runs with and without a row that is read twice in an epoch."""

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
    rows = order(25)
    later = steps(rows[:12], rows[12:20] + rows[:4])
    again = steps(one, (other[:9] + other)[:12], share=4)  # two steps later
    return [
        Reads("a run of 2 workers and 2 epochs", tuple(apart)),
        Reads("a run where one worker starts again", (again,)),
        Reads("a run where one worker begins as another did", (later,)),
        Reads("a run of 3 workers and 3 epochs", (*three, late)),
        Reads("a run of 2 workers and 3 epochs", tuple(healthy)),
        Reads("a run of 2 workers, in lockstep", tuple(everywhere)),
    ]


MY_FIRST_REPEAT = finding(
    "13/my_first_repeat",
    Place(("epoch", "step", "row")),
    draw,
    given=lambda reads: (in_order(reads.epochs),),
    find=first_repeat,
    nothing="in each of its epochs, no row is read twice.",
    wanted="the epoch, the step and the number of the first row that was read before "
    "in the same epoch, by whichever worker.",
    mistakes=MISTAKES,
    usual={
        "nothing_found": "it finds nothing anywhere, as a comparison of the weights "
        "would.",
    },
    right="Right on six recordings, one of them healthy.",
)
