"""Train behind Keras's BatchNormalization: each replica normalises its own rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Deal,
    Plan,
    follow,
    losses,
)
from course.runs.devices import mirrored
from course.runs.recording import Recording
from course.runs.workloads import Rows

EPSILON = 1e-3  # Keras's default


def train_normalised(
    plan: Plan,
    rows: Rows,
    devices: Sequence[str],
    label: str = "yours",
    *,
    synchronized: bool = False,
    deal: Deal | None = None,
) -> Recording:
    """Train two weights and a bias on normalised features, as `plan` says.

    Args:
        plan: one share for each of `devices`; none may be 0.
        rows: the examples, in order.
        devices: one replica on each.
        label: how figures name this run.
        synchronized: Keras's argument: statistics of all replicas' rows.
        deal: who gets which of a step's rows; in order by default.

    Returns:
        A Recording of two weights and a bias.
    """
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0, 0.0])
        layer = tf.keras.layers.BatchNormalization(
            epsilon=EPSILON,
            center=False,
            scale=False,
            synchronized=synchronized,
        )
        layer.build((None, 2))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            outputs = tf.linalg.matvec(layer(x, training=True), w[:2]) + w[2]
            loss = tf.reduce_sum((outputs - y) ** 2)
        sums = [tape.gradient(loss, w), tf.cast(tf.shape(x)[0], tf.float32)]
        context = tf.distribute.get_replica_context()
        gradient, count = context.all_reduce("SUM", sums)
        w.assign_sub(plan.rate * gradient / count)

    return follow(plan, rows, strategy, replica_step, w, label, deal)


def losses_of(run: Recording, rows: Rows) -> np.ndarray:
    """Return the loss over all rows, at the start and after each step.

    Where there is a bias, the rows are normalised, here by all rows' mean and variance.
    """
    if run.copies.shape[2] == 2:
        return losses(run, rows)
    features = normalised(rows.x.astype(np.float64))
    errors = run.copies[:, 0] @ features.T - rows.y.astype(np.float64)
    return np.mean(errors**2, axis=1)


def normalised(x: np.ndarray) -> np.ndarray:
    """Return rows normalised by their own mean and variance, and a 1 for the bias."""
    z = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + EPSILON)
    return np.column_stack([z, np.ones(len(z))])
