"""What a job is to train: drawn from a seed, so that no case is known before."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course.lessons.n19_mystery_jobs.job_record import Task
from course.runs.sequential import train_on_batches
from course.runs.workloads import regression

SIZES = {3: 6, 4: 8}  # a full batch divides by the number of replicas
WORKERS = 2


def draw_replica_task(
    rng: np.random.Generator, *, thinned: bool, replicas: int | None = None
) -> Task:
    """Draw rows for 3 or 4 replicas; the last batch never divides.

    Args:
        rng: seeded.
        thinned: whether rows are left out.
        replicas: how many; drawn by default.
    """
    parts = replicas or int(rng.choice(list(SIZES)))
    size = SIZES[parts]
    tails = [tail for tail in range(parts + 1, size) if tail % parts]
    count = size * int(rng.integers(4, 6)) + int(rng.choice(tails))
    rows = regression(count, int(rng.integers(1000)))
    return Task(rows, size, parts, "replicas", thinned)


def draw_worker_task(
    rng: np.random.Generator, *, resumed: bool, shown: bool = True
) -> Task:
    """Draw rows for two workers; the last batch is smaller.

    Args:
        rng: seeded.
        resumed: whether an earlier run has done the first batches.
        shown: for the notebook: batches that two workers can halve, and one row more,
            with which unequal steps show. Else any size, and any rest.
    """
    size = int(rng.choice([6, 8, 10] if shown else [5, 6, 7, 8, 9]))
    rest = 1 if shown else int(rng.integers(1, size))
    rows = regression(size * int(rng.integers(4, 7)) + rest, int(rng.integers(1000)))
    done = int(rng.integers(1, 4)) * resumed
    if resumed:
        start = train_on_batches(rows.batches(size)[:done]).copies[-1, 0]
    else:
        start = tf.random.stateless_normal([2], [3, 0]).numpy()
    return Task(
        rows,
        size,
        WORKERS,
        "workers",
        first=done,
        start=tuple(float(value) for value in start),
    )
