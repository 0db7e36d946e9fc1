"""Numbers of rows by which seeds that collide are surely found out."""

from __future__ import annotations

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
