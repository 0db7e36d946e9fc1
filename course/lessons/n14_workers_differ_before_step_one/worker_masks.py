"""Draw the masks of every row with several numbers of workers, worker by worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

# of (seed, step, places, worker, workers, units) -> kept, shape (len(places), units)
Mask = Callable[..., object]
Masks = np.ndarray  # (steps, rows, units): of each row in each step


@dataclass(frozen=True)
class MaskJob:
    """Rows whose masks are drawn: all of them in every step.

    rows, steps, units: how many of each.
    seed: the same number on every worker.
    """

    rows: int
    steps: int
    units: int
    seed: int

    def __str__(self) -> str:
        return (
            f"{self.rows} rows, {self.units} units, {self.steps} steps, on 1, 2 and 3 "
            "workers"
        )


def draw_by_workers(mask: Mask, job: MaskJob, workers: int, salt: int = 0) -> Masks:
    """Call `mask` for every worker in every step; return the masks by row.

    Worker w of n has rows w, w + n, w + 2n, ..., as after `shard(n, w)`.

    Args:
        mask: a learner's function.
        job: what is drawn.
        workers: how many; with one, it is the sequential run.
        salt: TensorFlow's and NumPy's own state are set from it before every call:
            what depends on them changes with it.

    Raises:
        TypeError: the function returned something of another shape.
    """
    found = np.zeros((job.steps, job.rows, job.units))
    for step in range(job.steps):
        for worker in range(workers):
            rows = np.arange(worker, job.rows, workers)
            of = step, worker, workers
            found[step, rows] = draw_at(mask, job, of, range(len(rows)), salt)
    return found


def draw_at(
    mask: Mask, job: MaskJob, of: tuple[int, int, int], places: Sequence[int], salt: int
) -> np.ndarray:
    """Call `mask` once; return the masks of these places, shape (places, units).

    Args:
        mask: a learner's function.
        job: what is drawn.
        of: step, worker, number of workers.
        places: of rows in the worker's shard.
        salt: as in draw_by_workers.

    Raises:
        TypeError: the function returned something of another shape.
    """
    step, worker, workers = of
    state = 1000 * salt + 10 * step + worker
    tf.random.set_seed(state)
    np.random.seed(state)
    wanted = tf.constant(list(places), tf.int32)
    drawn = np.asarray(
        mask(job.seed, step, wanted, worker, workers, job.units), np.float64
    )
    if drawn.shape != (len(places), job.units):
        raise TypeError(
            f"the function returned the shape {drawn.shape} for {len(places)} "
            f"places; it must be ({len(places)}, {job.units})"
        )
    return drawn
