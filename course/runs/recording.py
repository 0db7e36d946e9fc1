"""What happened in a training run, as plain data that knows its replica and step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Ids = tuple[int, ...]


def steps_made(count: int) -> str:
    """Return "1 step" or "3 steps": weights stand after so many of them."""
    return f"{count} step" + "s" * (count != 1)


@dataclass(frozen=True, eq=False)
class Recording:
    """The weights of every replica after every step, and the rows each one saw.

    label: how figures name this run.
    copies: float64, shape (steps + 1, replicas, weights); `copies[0]` is the start,
        `copies[k, r]` is replica r's copy after k steps. A sequential run has one
        replica.
    ids: `ids[k][r]` are the numbers of the rows replica r was given in step k.
    examples: `examples[k][r]` is the number of rows replica r worked on in step
        k: more than it was given if the replicas exchanged their rows.
    """

    label: str
    copies: np.ndarray
    ids: tuple[tuple[Ids, ...], ...] = ()
    examples: tuple[tuple[int, ...], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.copies.ndim != 3:
            raise ValueError(
                "copies needs the shape (steps + 1, replicas, weights), "
                f"not {self.copies.shape}"
            )

    @property
    def steps(self) -> int:
        """Number of training steps."""
        return len(self.copies) - 1

    @property
    def replicas(self) -> int:
        """Number of replicas."""
        return self.copies.shape[1]

    def gaps(self, other: Recording) -> np.ndarray:
        """Largest weight difference from `other`'s replica 0: (steps + 1, replicas)."""
        return np.abs(self.copies - other.copies[:, :1]).max(axis=2)
