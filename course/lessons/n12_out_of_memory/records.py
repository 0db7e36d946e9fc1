"""Lists of what was taken and given back: the cases of the Locate exercise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.places import Found

Event = tuple[str, float]  # what happened, MB taken (positive) or given back


@dataclass(frozen=True)
class Ledger:
    """What a step took and gave back, in order, without a limit."""

    label: str
    events: tuple[Event, ...]
    limit: float

    def __str__(self) -> str:
        return f"{self.label} ({len(self.events)} events, limit {self.limit:g} MB)"


def in_use(events: Sequence[Event]) -> np.ndarray:
    """Return the MB in use after each event, float64 of shape (events,)."""
    return np.cumsum([change for _, change in events])


def first_over(taken: np.ndarray, limit: float) -> Found:
    """Return the first place where more than `limit` is taken, and how much more."""
    over = np.flatnonzero(taken > limit)
    return (int(over[0]), taken[over[0]] - limit) if len(over) else None


def draw(rng: np.random.Generator) -> list[Ledger]:
    """Draw steps that fail forward, backward, twice, at a large piece, and not."""
    return [
        _ledger(rng, make, label)
        for label, make in (
            ("a step that climbs", _climbs),
            ("micro-batches that give back", _micro_batches),
            ("a step that fails backward", _fails_backward),
            ("a step that just fits", _just_fits),
            ("a step over the limit three times", _three_times),
        )
    ]


def _ledger(rng: np.random.Generator, make, label: str) -> Ledger:
    changes, limit = make(rng)
    # halves: exact as numbers, and an amount that is rounded to whole MB shows
    events = tuple(
        (
            f"{'takes' if change > 0 else 'gives back'} {1.5 * abs(change):g} MB",
            1.5 * change,
        )
        for change in changes
    )
    return Ledger(label, events, 1.5 * limit)


def _sizes(rng: np.random.Generator, count: int) -> list[int]:
    return rng.choice(np.arange(11, 40), count, replace=False).tolist()


def _climbs(rng):
    """Each layer takes its product and its output, and gives the product back."""
    changes = []
    for size in _sizes(rng, 8):
        changes += [size, size + 3, -size]
    taken = np.cumsum(changes)
    # between the sixth layer's product and its output
    return changes, taken[16] - int(rng.integers(2, 9))


def _micro_batches(rng):
    """Three parts that fit one by one, and would not together."""
    changes, peaks = [], []
    for _ in range(3):
        sizes = _sizes(rng, 4)
        changes += [*sizes, *(-size for size in reversed(sizes))]
        peaks.append(sum(sizes))
    return changes, max(peaks) + int(rng.integers(3, 9))


def _fails_backward(rng):
    """Forward fits, and so does a gradient; the next does not, after two came back."""
    sizes = _sizes(rng, 5)
    first, last = int(rng.integers(20, 30)), sizes[-1]
    limit = sum(sizes) + first + int(rng.integers(1, 7))
    second = limit - sum(sizes[:-1]) + int(rng.integers(2, 9))
    tail = [-first, -last, second, -second, 5, -5]
    return [*sizes[:2], 7, -7, *sizes[2:], first, *tail], limit


def _just_fits(rng):
    """The limit is reached exactly, and that is allowed."""
    sizes = _sizes(rng, 6)
    changes = [*sizes, -sizes[-1], -sizes[-2], sizes[-1] - 1]
    return changes, sum(sizes)


def _three_times(rng):
    """Over the limit by some, then by a piece as large as all, then by little.

    The first piece has been there before, when it still fitted.
    """
    a, b, c = _sizes(rng, 3)
    limit = a + b + c
    over, little = int(rng.choice([13, 17])), int(rng.integers(2, 7))
    more = limit + int(rng.integers(30, 60))
    return [
        *(a, over, -over, b, 9, -9, c),
        *(over, -over, 8, more, -more, -8),
        *(little, -little, -c, -b, -a),
    ], limit
