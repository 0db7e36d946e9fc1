"""Steps of two weights, with momentum or halving: over workers, and on one device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.runs.workloads import LEARNING_RATE, Rows


@dataclass(frozen=True)
class Rule:
    """One step: m = slowed * m + gradient, then w = kept * w - LEARNING_RATE * m.

    slowed: 0 is plain SGD, which needs no m.
    kept: the share of the weights that a step keeps before it adds anything.
    """

    slowed: float = 0.0
    kept: float = 1.0


PLAIN, MOMENTUM, HALVED = Rule(), Rule(slowed=0.9), Rule(kept=0.5)


def step_of_workers(
    strategy: tf.distribute.Strategy, rule: Rule, variables: Sequence[tf.Variable]
) -> Callable:
    """Return `step(x, y)` on the mean squared error over all workers' rows.

    Args:
        strategy: of all workers.
        rule: one that moves; all workers have the same.
        variables: the two weights, scalars; with momentum also m, of shape (2,).
    """
    weights, m = variables[:2], variables[2] if rule.slowed else None

    def replica_step(x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            w = tf.stack([tf.convert_to_tensor(v) for v in weights])
            loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
        gradient, count = tape.gradient(loss, w), tf.cast(tf.shape(x)[0], tf.float32)
        context = tf.distribute.get_replica_context()
        gradient, count = context.all_reduce("SUM", [gradient, count])
        change = gradient / count
        if m is not None:
            change = m.assign(rule.slowed * m + change)
        after = rule.kept * w - LEARNING_RATE * change
        for variable, value in zip(weights, tf.unstack(after), strict=True):
            variable.assign(value)

    shapes = tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([None], tf.float32)

    @tf.function(input_signature=shapes)
    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        strategy.run(replica_step, (x, y))

    return step


def on_one_device(
    batches: Sequence[Rows], rule: Rule, start: np.ndarray, m: np.ndarray
) -> np.ndarray:
    """Return the weights of one device from `start` on: float64, (steps + 1, 2)."""
    w, m = tf.Variable(start, dtype=tf.float32), tf.Variable(m, dtype=tf.float32)

    @tf.function(reduce_retracing=True)
    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        m.assign(rule.slowed * m + tape.gradient(loss, w))
        w.assign(rule.kept * w - LEARNING_RATE * m)

    path = [w.numpy()]
    for batch in batches:
        step(tf.constant(batch.x), tf.constant(batch.y))
        path.append(w.numpy())
    return np.array(path, np.float64)
