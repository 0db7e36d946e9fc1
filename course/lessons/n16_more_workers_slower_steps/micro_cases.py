"""Micro-batches of two workers: drawn, and their gradients summed in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.lessons.n16_more_workers_slower_steps.micro_batches import Batches
from course.lessons.n16_more_workers_slower_steps.worker_stages import WORKERS
from course.runs.workloads import Rows, regression


@dataclass(frozen=True, eq=False)
class Case:
    """Some steps: rows of every micro-batch, [step][worker][micro-batch]."""

    steps: tuple[Batches, ...]

    def __str__(self) -> str:
        sizes = [[len(rows) for rows in own] for own in self.steps[0]]
        counts = [len(step[0]) for step in self.steps]
        return (
            f"{len(self.steps)} steps on two real workers, of {_listed(counts)} "
            f"micro-batches each (in the first, of {_listed(sizes[0])} rows on worker "
            f"0, and {_listed(sizes[1])} on worker 1)"
        )


def sums(w: np.ndarray, batch: Sequence[Rows]) -> np.ndarray:
    """Return [worker]: a gradient summed over its rows, and how many these are.

    w: [worker][weight]; batch: the rows of each worker.
    """
    found = []
    for own, rows in zip(w, batch, strict=True):
        x, y = rows.x.astype(np.float64), rows.y.astype(np.float64)
        found.append([*(2 * x.T @ (x @ own - y)), len(rows)])
    return np.array(found)


def mean(total: np.ndarray) -> np.ndarray:
    """Return the mean gradients of sums over rows, [...][gradient and rows]."""
    return total[..., :-1] / total[..., -1:]


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
        parts = [rows.take(each) for each in np.split(np.arange(len(rows)), ends[:-1])]
        steps.append((parts[:count], parts[count:]))
    return [Case(tuple(steps))]
