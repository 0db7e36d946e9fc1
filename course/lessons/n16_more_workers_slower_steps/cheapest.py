"""Further: in which form does the gradient of an embedding cost the fewest bytes?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n16_more_workers_slower_steps.wrong_cheapest import (
    MISTAKES,
    Ids,
    cheapest,
)


@dataclass(frozen=True)
class Lookups:
    """ids: [worker][lookup], the same number on each; rows, width: of the table."""

    ids: Ids
    rows: int
    width: int

    def __str__(self) -> str:
        return (
            f"{len(self.ids)} workers that look up {len(self.ids[0])} ids each in a "
            f"table of {self.rows} rows of {self.width} numbers"
        )


def _ids(rng: np.random.Generator, workers: int, count: int, rows: int) -> Ids:
    """Return ids, some of them repeated; fewer different ones on worker 0."""
    used = [max(2, rows // (2 + 3 * (worker == 0))) for worker in range(workers)]
    return [rng.integers(most, size=count).tolist() for most in used]


def draw(rng: np.random.Generator) -> list[Lookups]:
    """Draw tables; each form is the smallest for some of them."""
    width = [int(each) for each in rng.permutation([2, 4, 8, 16, 32])]
    rows = int(rng.integers(400, 600))
    apart = [rng.permutation(rows)[:20].tolist() for _ in range(3)]
    return [
        Lookups(apart, rows, width[0]),
        Lookups(_ids(rng, 2, 120, 50), rows, width[1]),
        Lookups(_ids(rng, 3, 200, 120), rows, width[2]),
        Lookups(_ids(rng, 4, 300, 150), 160, width[3]),
        Lookups(_ids(rng, 4, 90, 120), 140, width[4]),
    ]


MY_CHEAPEST = finding(
    "16/my_cheapest",
    Place(("form",), ("bytes",), nothing=False),
    draw,
    given=lambda case: ([list(own) for own in case.ids], case.rows, case.width),
    find=cheapest,
    wanted="the form in which the fewest bytes pass over each link (0: rows as they "
    "are, 1: each id once, 2: the whole table; the first of equals), and these bytes.",
    mistakes=MISTAKES,
    right="Right for five tables. Each of the three forms is the smallest for some of "
    "them.",
)
