"""Draw the masks of every row with several numbers of workers, worker by worker."""

from __future__ import annotations

from collections.abc import Callable
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
            state = 1000 * salt + 10 * step + worker
            tf.random.set_seed(state)
            np.random.seed(state)
            places = tf.range(len(rows))
            drawn = mask(job.seed, step, places, worker, workers, job.units)
            drawn = np.asarray(drawn, np.float64)
            if drawn.shape != (len(rows), job.units):
                raise TypeError(
                    f"the function returned the shape {drawn.shape} for {len(rows)} "
                    f"places; it must be ({len(rows)}, {job.units})"
                )
            found[step, rows] = drawn
    return found
