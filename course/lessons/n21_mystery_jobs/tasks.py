"""What a job is to train: drawn from a seed, so that no case is known before."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course.lessons.n21_mystery_jobs.faults import MANY_FILES
from course.lessons.n21_mystery_jobs.job_record import Task
from course.lessons.n21_mystery_jobs.plans import Plan
from course.runs.sequential import train_on_batches
from course.runs.workloads import regression

SIZES = {3: 6, 4: 8}  # a full batch divides by the number of replicas
WORKERS = STAGES = 2


def draw_task(
    rng: np.random.Generator, plan: Plan, replicas: int | None = None
) -> Task:
    """Draw a task of this job's kind.

    Args:
        rng: seeded.
        plan: of the job.
        replicas: how many, where a repair is checked with it (workers and stages are
            always two); else it is the task that the notebook shows.
    """
    if plan.kind == "workers":
        return _for_workers(rng, plan, shown=replicas is None)
    if plan.kind == "stages":
        return _for_stages(rng)
    return _for_replicas(rng, plan, replicas)


def _for_replicas(rng: np.random.Generator, plan: Plan, replicas: int | None) -> Task:
    """Draw rows for 3 or 4 replicas; the last batch never divides, but for Keras."""
    parts = replicas or int(rng.choice(list(SIZES)))
    size = SIZES[parts]
    tails = [tail for tail in range(parts + 1, size) if tail % parts]
    count = size * int(rng.integers(4, 6)) + int(rng.choice(tails))
    if plan.style == "fit":  # its loss is a mean of each replica's
        count = size * parts * 2
    rows = regression(count, int(rng.integers(1000)))
    return Task(rows, size, parts, "replicas", plan.thinned)


def _for_stages(rng: np.random.Generator) -> Task:
    """Draw rows for two stages; the last batch is smaller, but not one row."""
    size = int(rng.choice([6, 8]))
    count = size * int(rng.integers(4, 6)) + int(rng.integers(2, size))
    return Task(regression(count, int(rng.integers(1000))), size, STAGES, "stages")


def _for_workers(rng: np.random.Generator, plan: Plan, *, shown: bool) -> Task:
    """Draw rows for two workers; the last batch is smaller, but for files of their own.

    shown: for the notebook: one row more, with which unequal steps show; else any rest.

    Two workers can halve a batch: what becomes of an odd one is no job's question.
    """
    size = int(rng.choice([6, 8, 10] if shown else [4, 6, 8, 10, 12]))
    rest = 1 if shown else int(rng.integers(1, size))
    if plan.style == MANY_FILES:
        rest = 0
    rows = regression(size * int(rng.integers(4, 7)) + rest, int(rng.integers(1000)))
    done = int(rng.integers(1, 4)) * plan.resumed
    if plan.resumed:
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
