"""What a job is to train: drawn from a seed, so that no case is known before."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course.jobs.job_record import Task
from course.jobs.sequential import train_on_batches
from course.jobs.workloads import regression

SIZES = {2: 6, 3: 6, 4: 8}  # a full batch divides by the number of replicas
WORKERS, WORKER_BATCH = 2, 8
DONE = 2  # batches of an earlier run


def draw_replica_task(
    rng: np.random.Generator, *, thinned: bool, replicas: int | None = None
) -> Task:
    """Draw rows for 2, 3 or 4 replicas; the last batch never divides.

    Args:
        rng: seeded.
        thinned: whether rows are left out.
        replicas: how many; drawn by default.
    """
    parts = replicas or int(rng.choice([3, 4]))
    size = SIZES[parts]
    tails = [tail for tail in range(parts + 1, size) if tail % parts]
    count = size * int(rng.integers(4, 6)) + int(rng.choice(tails))
    rows = regression(count, int(rng.integers(1000)))
    return Task(rows, size, parts, "replicas", thinned)


def draw_worker_task(rng: np.random.Generator, *, resumed: bool) -> Task:
    """Draw rows for two workers, one more than full batches.

    Args:
        rng: seeded.
        resumed: whether an earlier run has done the first batches.
    """
    count = WORKER_BATCH * int(rng.integers(4, 6)) + 1
    rows = regression(count, int(rng.integers(1000)))
    if resumed:
        start = train_on_batches(rows.batches(WORKER_BATCH)[:DONE]).copies[-1, 0]
    else:
        start = tf.random.stateless_normal([2], [3, 0]).numpy()
    return Task(
        rows,
        WORKER_BATCH,
        WORKERS,
        "workers",
        first=DONE * resumed,
        start=tuple(float(value) for value in start),
    )
