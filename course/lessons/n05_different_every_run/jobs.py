"""The calls that the core exercise is checked with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Job:
    """One call of the update.

    start: what the variable holds at first.
    deltas: one for each thread, all different.
    added: for each delta, what `work(value, delta)` returns.
    order: places of the deltas, in which their threads leave `work`.
    """

    start: float
    deltas: tuple[float, ...]
    added: tuple[float, ...]
    order: tuple[int, ...]

    def __str__(self) -> str:
        deltas = ", ".join(f"{d:g}" for d in self.deltas)
        return f"a variable that holds {self.start:g} and the deltas {deltas}"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs for 2, 3 and 10 threads, more than a pool has on one core.

    The sum of any of the amounts tells which ones: each is a digit in a decimal place
    of its own, or the same odd number of another power of two.
    """
    jobs = []
    for threads in (2, 3, 10):
        few = threads < 4
        powers = rng.permutation(4 if few else threads)[:threads]
        odd = np.full(threads, rng.choice([3, 5, 7]))
        digits = rng.choice(np.arange(2, 10), threads, replace=False) if few else odd
        base = 10 if few else 2
        order = rng.permutation(threads)
        while order[-1] == threads - 1:  # joining the last thread only must show
            order = rng.permutation(threads)
        jobs.append(
            Job(
                float(rng.integers(1, 4)) / 4,
                tuple(float(base**p) for p in powers),
                tuple(float(d * base**p) for d, p in zip(digits, powers, strict=True)),
                tuple(order.tolist()),
            )
        )
    return jobs
