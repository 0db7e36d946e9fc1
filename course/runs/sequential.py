"""The sequential run: the plain SGD loop that every ground truth is made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from course.runs.recording import Recording
from course.runs.stopping import go_on
from course.runs.workloads import LEARNING_RATE, Rows

Keep = Callable[[Rows], np.ndarray]


def train_sequentially(
    rows: Rows,
    batch: int,
    steps: int,
    keep: Keep | None = None,
    rates: Sequence[float] | None = None,
) -> Recording:
    """Train two weights on one device with SGD on the mean squared error.

    Each step takes the next batch as a whole; the gradient is the mean over its rows.

    Args:
        rows: the examples, in the order they are used.
        batch: rows in a step; the last batch of an epoch may be smaller.
        steps: number of steps; epochs repeat in the same order.
        keep: which rows of a batch count, as a boolean mask of shape (rows,). A step
            with no row that counts changes nothing.
        rates: the learning rate of each step; LEARNING_RATE in all by default.

    Returns:
        A Recording with one replica, weights in float32 arithmetic.
    """
    return train_on_batches(rows.batches(batch, steps), keep, rates)


def train_on_batches(
    batches: Sequence[Rows],
    keep: Keep | None = None,
    rates: Sequence[float] | None = None,
    start: Sequence[float] = (0.0, 0.0),
) -> Recording:
    """Do the same, one step on each of these batches, from the weights `start`."""
    w = tf.Variable(start, dtype=tf.float32)

    @tf.function(reduce_retracing=True)
    def step(x: tf.Tensor, y: tf.Tensor, rate: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        w.assign_sub(rate * tape.gradient(loss, w))

    copies, ids = [w.numpy()], []
    rates = [LEARNING_RATE] * len(batches) if rates is None else rates
    for part, rate in zip(batches, rates, strict=True):
        go_on()
        used = part if keep is None else part.take(np.flatnonzero(keep(part)))
        if len(used):
            step(
                tf.constant(used.x), tf.constant(used.y), tf.constant(rate, tf.float32)
            )
        copies.append(w.numpy())
        ids.append((tuple(used.ids.tolist()),))
    counts = tuple((len(step_ids[0]),) for step_ids in ids)
    return Recording(
        "sequential", np.array(copies, np.float64)[:, None], tuple(ids), counts
    )
