"""Runs, and the trainings of one device that they may be: the cases of Locate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from course.runs.update_rules import Job, each, follow, mean_gradient
from course.runs.workloads import Rows, regression

EQUAL = 0.01  # runs are saved with two decimals, so they are off by up to 0.005
BATCHES = (4, 8, 16, 32)
TELLING = 3e-4  # two ways to measure a gap must be so far apart to tell anything
Found = tuple[int, float] | None


@dataclass(frozen=True, eq=False)
class Case:
    """A run, and sequential ones that it may be.

    label: what kind of run it is.
    run: weights at the start and after each step, (steps + 1, 2).
    alone: batch -> the same of one device with this batch, for one epoch.
    """

    label: str
    run: np.ndarray
    alone: Mapping[int, np.ndarray]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.run) - 1} steps)"


def gap(run: np.ndarray, other: np.ndarray) -> float:
    """Return the largest difference in the steps that both have."""
    n = min(len(run), len(other))
    return float(np.abs(run[:n] - other[:n]).max())


def train(rows: Rows, batch: int, rate: float, epochs: int = 1) -> np.ndarray:
    """Return the weights at the start and after each step of these epochs."""

    def step(copies, shards):
        return copies - rate * each(mean_gradient, copies, shards)

    steps = epochs * len(rows.batches(batch))
    return follow(step, Job(rows, batch, 1, steps)).copies[:, 0]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw runs that equal one of the trainings, for a while or not at all."""
    while True:
        cases = _some_cases(rng)
        above, below = (_gaps(cases[i]) for i in (0, -2))
        if (
            _tells(*above)
            and _tells(*below, sign=-1)
            and all(_fits(case, 2 * EQUAL) < 2 for case in cases)
            and all(_one_nearest(case) for case in cases[:-1])
        ):
            return cases


def _fits(case: Case, distance: float) -> int:
    """Return how many trainings stay within `distance` of the run."""
    return sum(gap(case.run, weights) < distance for weights in case.alone.values())


def _one_nearest(case: Case) -> bool:
    """Whether the nearest training is the same with and without too short ones."""
    gaps = {batch: gap(case.run, w) for batch, w in case.alone.items()}
    long = [batch for batch, w in case.alone.items() if len(w) >= len(case.run)]
    return min(gaps, key=gaps.get) == min(long, key=gaps.get)


def _some_cases(rng: np.random.Generator) -> list[Case]:
    rate = float(rng.uniform(0.04, 0.08))
    rows = regression(int(rng.integers(66, 72)), int(rng.integers(1000)))
    alone = {int(b): train(rows, int(b), rate) for b in rng.permutation(BATCHES)}
    small, middle, large = (int(b) for b in np.sort(rng.permutation(BATCHES)[:3]))
    stopped = alone[small][: int(rng.integers(4, 6))]
    crooked = alone[middle].copy()
    at = int(rng.integers(2, len(crooked) - 1))
    crooked[at, 1] += rng.choice((-1, 1)) * rng.uniform(0.05, 0.1)  # and comes back
    turns = alone[large].copy()
    turns[-1, 0] += rng.choice((-1, 1)) * rng.uniform(0.03, 0.05)
    far = train(rows, middle, rate * rng.uniform(1.2, 1.4))
    runs = {
        "a run with one of these batches": alone[large],
        "a run that was stopped early": stopped,
        "a run with another rate": far,
        "a run that leaves its way once": crooked,
        "a run whose last step differs": turns,
        "another run with one of these batches": alone[middle],
        "a run that goes on after an epoch": train(rows, large, rate, epochs=2),
    }
    return [Case(label, run.round(2), alone) for label, run in runs.items()]


def _gaps(case: Case) -> tuple[np.ndarray, int]:
    """Return the differences of a run from the training it is, and where most."""
    fits = [w for w in case.alone.values() if len(w) == len(case.run)]
    off = min((case.run - w for w in fits), key=lambda off: np.abs(off).max())
    return off, int(np.abs(off).max(axis=1).argmax())


def _tells(off: np.ndarray, at: int, sign: int = 1) -> bool:
    """Whether sign, mean, last step and distance all differ from the largest gap."""
    size = np.abs(off)
    others = (
        (-sign * off).max(),
        size.mean(),
        size[1].max(),
        size[-1].max(),
        np.linalg.norm(off, axis=1).max(),
    )
    return (sign * off).max() == size.max() and all(
        abs(size.max() - other) > TELLING for other in others
    )
