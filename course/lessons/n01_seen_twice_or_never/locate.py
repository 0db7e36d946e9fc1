"""Locate: which row is the first to appear again, and which never appears?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n01_seen_twice_or_never.feeds import (
    Feed,
    Steps,
    batches,
    in_turn,
    same,
    split,
)
from course.lessons.n01_seen_twice_or_never.wrong_first_faults import MISTAKES

PARTS = ("row seen again", "row never seen")


@dataclass(frozen=True)
class Grid:
    """A recording to examine: `steps[k][r]` are the rows replica r saw in step k."""

    label: str
    steps: tuple[tuple[tuple[int, ...], ...], ...]
    rows: int

    def __str__(self) -> str:
        return self.label


def first_faults(grid: Grid) -> tuple[int | None, int | None]:
    """Return the first row met again, reading by step and replica, and first unseen."""
    again, seen = None, set()
    for row in (row for step in grid.steps for shard in step for row in shard):
        if row in seen and again is None:
            again = row
        seen.add(row)
    return again, min(set(range(grid.rows)) - seen, default=None)


def draw(rng: np.random.Generator) -> list[Grid]:
    """Draw recordings in which every known mistake gives another answer."""

    def answers(grids: list[Grid]) -> list:
        seen = [[_observe(wrong, grid) for grid in grids] for wrong in MISTAKES]
        seen.append([_expect(grid) for grid in grids])
        return [[each.values.tolist() for each in one] for one in seen]

    return drawn_apart("01/my_first_faults", lambda: _candidates(rng), answers)


def _candidates(rng: np.random.Generator) -> list[Grid]:
    def mixed(rows: int, without: Sequence[int] = ()) -> list[int]:
        return rng.permutation(np.setdiff1d(range(rows), without)).tolist()

    two, three, four = Feed(10, 4, 2), Feed(17, 6, 3), Feed(22, 8, 4)
    # every replica shuffles for itself, as in the second further exercise
    apart = [batches(mixed(22)[r::4], 1) for r in range(4)]
    longest = max(map(len, apart))
    own = [[(*p, ())[k] if k < len(p) else () for p in apart] for k in range(longest)]
    # a pipeline that starts again before its first epoch is over, without row 0
    again = mixed(17, [0, *rng.permutation(range(1, 17))[:4]]) * 2
    ends = [0, *mixed(10, [0, 9])]  # row 0 first, row 9 alone missing
    tail = rng.permutation(range(10, 22))[:6]  # no row below 10 is missing
    return [
        _grid("a run where every replica gets every batch", 10, same, two, ends),
        _grid("a run that drops a tail", 22, split, four, mixed(22, tail)),
        Grid("a run where replicas shuffle for themselves", _frozen(own), 22),
        _grid("a run that starts again too early", 17, in_turn, three, again),
        _grid("a healthy run with an empty shard", 22, split, four, mixed(22)),
    ]


def _grid(label: str, rows: int, deliver: Callable, feed: Feed, order: list) -> Grid:
    size = feed.share if deliver is in_turn else feed.batch
    return Grid(label, _frozen(deliver(batches(order, size), feed)), rows)


def _frozen(steps: Steps) -> tuple:
    return tuple(tuple(map(tuple, step)) for step in steps)


def _recorded(faults: object) -> Observation:
    """Turn an answer into numbers; None becomes -1.

    Raises:
        WrongReturn: it is no pair of whole numbers or None.
    """
    try:
        pair = [-1 if row is None else int(row) for row in faults]
        exact = all(
            b is None or a == float(b) for a, b in zip(pair, faults, strict=True)
        )
    except (TypeError, ValueError):
        pair, exact = [], False
    if len(pair) != 2 or not exact or isinstance(faults, str | dict | set):
        wanted = f"({', '.join(PARTS)}), each a whole number or None"
        raise WrongReturn.of(faults, wanted)
    return Observation(np.array(pair, np.float64))


def _observe(function: Callable, grid: Grid) -> Observation:
    steps = [list(step) for step in grid.steps]  # as in the notebook's recording
    return _recorded(function(steps, grid.rows))


def _expect(grid: Grid) -> Observation:
    return _recorded(first_faults(grid))


def _compare(grid: Grid, got: Observation, truth: Observation) -> Difference:
    parts = list(zip(PARTS, got.values, truth.values, strict=True))
    said = (f"{name} {'None' if v < 0 else int(v)}" for name, v, _ in parts)
    wrong = (name for name, v, right in parts if v != right)
    steps = [list(step) for step in grid.steps]
    return Difference(
        f"It returned {', '.join(said)}. Wrong: {', '.join(wrong)}.",
        "Expected the row whose second appearance is the earliest, and the smallest "
        "row number that never appears; None where there is none.",
        f"To try it: my_first_faults({steps}, {grid.rows})",
    )


FIRST_FAULTS = Exercise(
    name="01/my_first_faults",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on five recordings, one of them healthy.",
)
