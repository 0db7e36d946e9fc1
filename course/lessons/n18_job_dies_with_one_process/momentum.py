"""A step with momentum: the weights alone are not all that a training has learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from course.runs.workloads import Rows

RATE, MOMENTUM = 0.05, 0.8


def momentum_step(
    w: tf.Variable,
    momentum: tf.Variable,
    together: Callable[[tf.Tensor], tf.Tensor] = lambda gradient: gradient,
) -> Callable:
    """Return `step(x, y)`: SGD with momentum on the mean squared error.

    Args:
        w: float32, (2,): the weights.
        momentum: float32, (2,): the sum of the gradients before, fading.
        together: what several replicas make of the gradient of each.
    """

    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        gradient = together(tape.gradient(loss, w))
        momentum.assign(MOMENTUM * momentum + gradient)
        w.assign_sub(RATE * momentum)

    return step


def momentum_update(w: np.ndarray, momentum: np.ndarray, rows: Rows) -> None:
    """Make the same step on float64 arrays, in place."""
    x, y = rows.x.astype(float), rows.y.astype(float)
    momentum[:] = MOMENTUM * momentum + 2 * x.T @ (x @ w - y) / len(y)
    w -= RATE * momentum


def train_with_momentum(batches: Sequence[Rows]) -> np.ndarray:
    """Train on one device, without any failure.

    Returns:
        float64, (2, 2): the weights, and the momentum, after the last batch.
    """
    w, momentum = tf.Variable([0.0, 0.0]), tf.Variable([0.0, 0.0])
    step = tf.function(momentum_step(w, momentum), reduce_retracing=True)
    for batch in batches:
        step(tf.constant(batch.x), tf.constant(batch.y))
    return np.array([w.numpy(), momentum.numpy()], np.float64)
