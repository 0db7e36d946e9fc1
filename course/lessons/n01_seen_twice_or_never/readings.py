"""Ways to read a recording for repeated and missing rows: the right one, and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Faults = tuple[int | None, int | None]  # (first row seen again, first never seen)


@dataclass(frozen=True)
class Grid:
    """A recording to examine: `steps[k][r]` are the rows replica r saw in step k."""

    label: str
    steps: tuple[tuple[tuple[int, ...], ...], ...]
    rows: int

    def __str__(self) -> str:
        return self.label


def first_faults(grid: Grid) -> Faults:
    """Return the first row met again, reading by step and replica, and first unseen."""
    return _again(_read(grid)), _never(grid, _read(grid))


def _read(grid: Grid) -> Iterator[int]:
    return (row for step in grid.steps for shard in step for row in shard)


def _of_replica(grid: Grid, replica: int) -> list[int]:
    return [row for step in grid.steps for row in step[replica]]


def _repeats(rows: Iterable[int]) -> Iterator[int]:
    seen: set[int] = set()
    for row in rows:
        if row in seen:
            yield row
        seen.add(row)


def _again(rows: Iterable[int]) -> int | None:
    return next(_repeats(rows), None)


def _never(grid: Grid, seen: Iterable[int]) -> int | None:
    return min(set(range(grid.rows)) - set(seen), default=None)


def _replica_0(grid: Grid) -> Faults:
    own = _of_replica(grid, 0)
    return _again(own), _never(grid, own)


def _last_replica(grid: Grid) -> Faults:
    own = _of_replica(grid, -1)
    return _again(own), _never(grid, own)


def _within_step(grid: Grid) -> Faults:
    found = (_again(row for shard in step for row in shard) for step in grid.steps)
    return next((row for row in found if row is not None), None), _unseen(grid)


def _within_replica(grid: Grid) -> Faults:
    seen = [set() for _ in grid.steps[0]]
    for step in grid.steps:
        for known, shard in zip(seen, step, strict=True):
            for row in shard:
                if row in known:
                    return row, _unseen(grid)
                known.add(row)
    return None, _unseen(grid)


def _replica_by_replica(grid: Grid) -> Faults:
    order = [row for r in range(len(grid.steps[0])) for row in _of_replica(grid, r)]
    return _again(order), _unseen(grid)


def _unseen(grid: Grid) -> int | None:
    return first_faults(grid)[1]


def _repeated(grid: Grid) -> list[int]:
    times = Counter(_read(grid))
    return [row for row in _read(grid) if times[row] > 1]


def _zero_overlooked(grid: Grid) -> Faults:
    first, never = first_faults(grid)
    return next(filter(None, _repeats(_read(grid))), first), never


def _zipped(grid: Grid) -> Faults:
    together = (rows for step in grid.steps for rows in zip(*step, strict=False))
    read = [row for rows in together for row in rows]
    return _again(read), _never(grid, read)


def _smallest(grid: Grid) -> Faults:
    return min(_repeated(grid), default=None), _unseen(grid)


def _first_sighting(grid: Grid) -> Faults:
    return next(iter(_repeated(grid)), None), _unseen(grid)


def _last(grid: Grid) -> Faults:
    return next(iter(_repeated(grid)[::-1]), None), _unseen(grid)


def _largest_unseen(grid: Grid) -> Faults:
    unseen = set(range(grid.rows)) - set(_read(grid))
    return first_faults(grid)[0], max(unseen, default=None)


def _one_too_far(grid: Grid) -> Faults:
    unseen = set(range(1, grid.rows + 1)) - set(_read(grid))
    return first_faults(grid)[0], min(unseen)


def _swapped(grid: Grid) -> Faults:
    return first_faults(grid)[::-1]


def _counted(grid: Grid) -> Faults:
    return len(set(_repeated(grid))), grid.rows - len(set(_read(grid)))


MISREADINGS: dict[str, tuple[Callable[[Grid], Faults], str]] = {
    "replica_0_only": (
        _replica_0,
        "it reads replica 0 only. What the other replicas saw is invisible to it: "
        "neither seen again, nor seen at all.",
    ),
    "last_replica_only": (
        _last_replica,
        "it looks at one replica only, the last one.",
    ),
    "within_a_step": (
        _within_step,
        "it looks for repeated rows within each step and forgets them at the next. A "
        "row can come again many steps later.",
    ),
    "within_a_replica": (
        _within_replica,
        "it keeps the rows of each replica apart, so it misses a row that came to "
        "two replicas.",
    ),
    "replica_by_replica": (
        _replica_by_replica,
        "it reads all steps of one replica, then all steps of the next. Read step by "
        "step, as the replicas do.",
    ),
    "smallest_repeated": (
        _smallest,
        "it returns the smallest of the repeated rows. Asked is the row whose second "
        "appearance comes first.",
    ),
    "first_sight": (
        _first_sighting,
        "it returns the repeated row whose FIRST appearance comes first. Asked is the "
        "row whose SECOND appearance comes first.",
    ),
    "last_repeated": (
        _last,
        "it returns the last repeat, not the first: a later find overwrites an "
        "earlier one.",
    ),
    "row_0_overlooked": (
        _zero_overlooked,
        "it takes row 0 for no row, as `not again` does where again is 0. Ask whether "
        "again is None.",
    ),
    "zip_of_replicas": (
        _zipped,
        "it goes through the replicas of a step with zip: first the first row of each, "
        "and it ends with the shortest. The other rows are never read.",
    ),
    "largest_never_seen": (
        _largest_unseen,
        "it returns the largest row never seen. Asked is the smallest.",
    ),
    "rows_from_one": (
        _one_too_far,
        "it takes the rows for 1 to N. They are 0 to N - 1: range(rows).",
    ),
    "swapped": (
        _swapped,
        "the two answers stand in the wrong order: first the row seen again, then "
        "the row never seen.",
    ),
    "numbers_of_rows": (
        _counted,
        "it returns how many rows came again and how many never came. Asked is which "
        "row is the first.",
    ),
}
