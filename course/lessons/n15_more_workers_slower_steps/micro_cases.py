"""Micro-batches of two workers: drawn, and their gradients summed in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.lessons.n15_more_workers_slower_steps.micro_batches import WORKERS
from course.runs.workloads import Rows, regression

Sums = tuple[np.ndarray, float]  # a gradient summed over rows, and how many rows


@dataclass(frozen=True, eq=False)
class Case:
    """Some steps: rows of every micro-batch, [step][worker][micro-batch]."""

    steps: tuple[tuple[tuple[Rows, ...], ...], ...]

    def __str__(self) -> str:
        sizes = [[len(rows) for rows in own] for own in self.steps[0]]
        counts = [len(step[0]) for step in self.steps]
        return (
            f"{len(self.steps)} steps on two real workers, of {_listed(counts)} "
            f"micro-batches each (in the first, of {_listed(sizes[0])} rows on worker "
            f"0, and {_listed(sizes[1])} on worker 1)"
        )


@dataclass
class Micro:
    """The workers in one step: their weights, and their micro-batches."""

    w: np.ndarray  # [worker][weight]
    batches: tuple[tuple[Rows, ...], ...]

    def sums(self, worker: int, number: int) -> Sums:
        """Return the summed gradient of a micro-batch, and its rows."""
        rows = self.batches[worker][number]
        x, y = rows.x.astype(np.float64), rows.y.astype(np.float64)
        return 2 * x.T @ (x @ self.w[worker] - y), float(len(rows))

    @property
    def count(self) -> int:
        """Micro-batches of a worker."""
        return len(self.batches[0])

    def all(self) -> list[list[Sums]]:
        """The sums of all: [worker][micro-batch]."""
        return [[self.sums(w, k) for k in range(self.count)] for w in range(WORKERS)]


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw steps of 3, 2 and 4 micro-batches; these have from one to six rows."""
    steps = []
    for count in (3, 2, 4):
        sizes = [rng.permutation([1, 2, 3, 4, 5, 6])[:count] for _ in range(WORKERS)]
        if sizes[0].sum() == sizes[1].sum():
            sizes[0][int(sizes[0].argmax())] += 2
        rows = regression(int(np.sum(sizes)), int(rng.integers(1000)))
        ends = np.cumsum(np.concatenate(sizes))
        parts = [
            rows.take(np.arange(end - size, end))
            for end, size in zip(ends, np.concatenate(sizes), strict=True)
        ]
        steps.append((tuple(parts[:count]), tuple(parts[count:])))
    return [Case(tuple(steps))]
