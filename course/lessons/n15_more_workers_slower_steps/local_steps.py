"""Local SGD in two real workers, beside one device: few messages, another training."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from course.lessons.n15_more_workers_slower_steps.micro_batches import train_stages
from course.lessons.n15_more_workers_slower_steps.worker_stages import WORKERS
from course.runs.sequential import train_on_batches
from course.runs.workloads import Rows, regression

SHARE = 4  # rows of a worker's batch
Found = tuple[int, int, float]  # every, messages, distance from one device


def batches_of_workers(count: int, seed: int = 7) -> tuple[tuple[Rows, ...], ...]:
    """Return `count` batches of each worker; the rows stand in one global order."""
    whole = regression(count * SHARE * WORKERS, seed).batches(SHARE)
    return tuple(tuple(whole[worker::WORKERS]) for worker in range(WORKERS))


def train_locally(
    step: Callable, every: Sequence[int] = (1, 2, 4, 8), count: int = 8
) -> list[Found]:
    """Train with `step(context, w, batches, every)`, for each of these numbers.

    The distance is that of the workers' mean weights from one device, after its steps
    on the same rows, one step for each pair of batches.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    stages = [batches_of_workers(count)] * len(every)
    weights, counts = train_stages(step, stages, every)
    whole = regression(count * SHARE * WORKERS).batches(SHARE * WORKERS)
    truth = train_on_batches(whole).copies[-1, 0]
    distances = np.abs(weights.mean(axis=1) - truth).max(axis=1)
    return list(zip(every, counts, distances.tolist(), strict=True))
