"""Numbers of rows by which seeds that collide are surely found out, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

import numpy as np

MOST = 1000  # every number is below
# pairs that are a usual factor or divisor apart: seeds such as step * 100 + row, or
# row % 64, are then the same for two of them
_APART = (0, 10, 11, 64, 65, 100, 101, 128, 129, 256, 257, 500, 501, 512, 513, 999)
_LOW = (1, 2, 3)


def scattered(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return `count` different numbers below MOST, int32; no place is its own number.

    The first 16 are usual distances from each other, and from the low ones after them.
    """
    known = (*_APART, *_LOW)
    others = np.setdiff1d(np.arange(MOST), known)
    rest = np.concatenate([_LOW, rng.choice(others, count - len(known), False)])
    return np.concatenate([rng.permutation(_APART), rest]).astype(np.int32)


def repeats(found: Iterable[tuple[Hashable, int, int]]) -> tuple[bool, bool, bool]:
    """Return whether something comes again: in one step, for one row, or across.

    Args:
        found: (what was found, its step, its row).
    """
    places: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for what, step, row in found:
        places[what].append((step, row))
    in_step = of_row = across = False
    for own in places.values():
        steps, rows = (set(numbers) for numbers in zip(*own, strict=True))
        in_step |= len(steps) < len(own)
        of_row |= len(rows) < len(own)
        across |= len(steps) > 1 and len(rows) > 1
    return in_step, of_row, across
