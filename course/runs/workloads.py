"""The data every notebook of the course trains on: numbered rows of two features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TRUE_WEIGHTS = (1.5, -0.75)
LEARNING_RATE = 0.1


@dataclass(frozen=True, eq=False)
class Rows:
    """Numbered examples of a regression with two weights.

    ids: int64, shape (n,): 0, 1, 2, ...
    x: float32, shape (n, 2).
    y: float32, shape (n,).
    """

    ids: np.ndarray
    x: np.ndarray
    y: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, ids: np.ndarray) -> Rows:
        """Return only the rows numbered `ids`, in that order."""
        return Rows(self.ids[ids], self.x[ids], self.y[ids])

    def batches(self, size: int, steps: int | None = None) -> list[Rows]:
        """Return consecutive batches of `size` rows; the last of an epoch is smaller.

        Without `steps`, one epoch. With it, that many batches, epoch after epoch in
        the same order.
        """
        starts = list(range(0, len(self), size))
        count = len(starts) if steps is None else steps
        chosen = [starts[i % len(starts)] for i in range(count)]
        return [self.take(np.arange(s, min(s + size, len(self)))) for s in chosen]

    def shards(self, n: int) -> list[Rows]:
        """Split these rows among `n` replicas as tf.distribute splits a batch.

        Each replica takes the next ceil(rows / n) rows; when they run out, the
        remaining replicas get none.
        """
        size = -(-len(self) // n)
        cuts = [np.arange(len(self))[r * size : (r + 1) * size] for r in range(n)]
        return [self.take(ids) for ids in cuts]


def regression(rows: int = 22, seed: int = 7) -> Rows:
    """Return `rows` examples of y = x @ TRUE_WEIGHTS + noise, the same for a seed.

    The features have different scales and later rows have larger targets, so that
    no two replicas' rows give the same gradient and every mistake shows.
    """
    if rows < 1:
        raise ValueError(f"regression needs at least one row, not {rows}")
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 2)) * (0.9, 0.6) + (0.5, -0.3)
    drift = np.linspace(0.0, 3.0, rows)
    y = x @ np.array(TRUE_WEIGHTS) + drift + 0.3 * rng.normal(size=rows)
    return Rows(np.arange(rows), x.astype(np.float32), y.astype(np.float32))
