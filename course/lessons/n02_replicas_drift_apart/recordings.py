"""The recordings that the Locate exercise is graded on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.runs.update_rules import Job, follow, mean_of_means, own_step, sum_of_means
from course.runs.workloads import regression


@dataclass(frozen=True)
class Pair:
    """A recording to examine beside its truth.

    copies: float64, (steps + 1, replicas, 2); sequential: float64, (steps + 1, 2).
    """

    label: str
    copies: np.ndarray
    sequential: np.ndarray

    def __str__(self) -> str:
        return self.label


def draw(rng: np.random.Generator) -> list[Pair]:
    """Draw recordings: drift at once, late, on one replica, none, and all alike."""
    job, own = _draw_job(rng)
    right = follow(mean_of_means, job).copies
    truth = right[:, 0].copy()
    late, early = job.steps, int(rng.integers(1, 4))  # late: in the last step
    odd = int(rng.integers(1, 4))
    behind = right.copy()
    # furthest by one weight, by both squared, by both added up: three replicas
    apart = np.array([[0.0, 1.0], [0.95, 0.4], [0.7, 0.7]]) * rng.uniform(0.01, 0.05)
    behind[early:, rng.permutation([1, 2, 3])] -= apart
    # weight 0 drifts first, on one replica; in the last step weight 1, on another
    other, single = rng.permutation(4)[:2], right.copy()
    single[early:, other[0], 0] += rng.uniform(0.01, 0.02)
    single[-1, other[1], 1] += 0.05
    noise = 5e-6 * rng.uniform(-1, 1, right.shape)
    noise[0] = 0
    # all copies take a step that is too long; they stay nearly, but not quite, equal
    longer = follow(sum_of_means, job).copies[:, :1] - right
    nearly = 1 + 1e-6 * rng.permutation(4)[None, :, None]
    return [
        Pair("a run where every replica drifts", own, truth),
        Pair("a run where the drift starts late", _forget(job, odd, late), truth),
        Pair("a run where one replica drifts", _forget(job, 0, early), truth),
        Pair("a run where some copies stay too small", behind, truth),
        Pair("a run where one weight drifts", single, truth),
        Pair("a healthy run with float noise", right + noise, truth),
        Pair("a run where all copies drift alike", right + longer * nearly, truth),
        _small_drift(rng),
    ]


def _small_drift(rng: np.random.Generator) -> Pair:
    """Draw another size of run; a gap just beyond the limit, of a weight beyond 0.5."""
    job = Job(regression(18, int(rng.integers(1000))), batch=6, replicas=3, steps=7)
    copies = follow(mean_of_means, job).copies
    truth = copies[:, 0].copy()
    step, replica = int(rng.integers(4, 7)), int(rng.integers(1, 3))
    copies[step:, replica, np.abs(truth[step]).argmax()] += 1.5e-5
    copies[-1, 3 - replica] += 1e-3  # furthest in the end is another
    return Pair("a short run with a small drift", copies, truth)


def _draw_job(rng: np.random.Generator) -> tuple[Job, np.ndarray]:
    """Draw rows on which another replica than 0 is furthest after its own step."""
    while True:
        rows = regression(24, seed=int(rng.integers(10_000)))
        job = Job(rows, batch=8, replicas=4)
        own = follow(own_step, job).copies
        truth = follow(mean_of_means, job).copies
        if np.abs(own[1] - truth[1]).max(axis=1).argmax() != 0:
            return job, own


def _forget(job: Job, replica: int, first: int) -> np.ndarray:
    """Return the copies when `replica` skips the all-reduce from step `first` on.

    The others still average all four gradients, so they drift too, one step later.
    """
    step = 0

    def rule(copies, shards):
        nonlocal step
        step += 1
        moved = mean_of_means(copies, shards)
        if step >= first:
            moved[replica] = own_step(copies, shards)[replica]
        return moved

    return follow(rule, job).copies
