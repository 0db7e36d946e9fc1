"""Run a loss on replicas: train with it, measure and say every example's weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import tensorflow as tf

from course.checks.failures import WrongReturn
from course.runs.recording import Recording
from course.runs.replicas import call_on_replicas, train_on_replicas
from course.runs.workloads import LEARNING_RATE, Rows

# (per-example losses of this replica, its context) -> this replica's loss
Loss = Callable[[tf.Tensor, tf.distribute.ReplicaContext], tf.Tensor]


def train_with_loss(
    loss: Loss,
    rows: Rows,
    batch: int,
    steps: int,
    devices: list[str],
    label: str = "yours",
    by_tf_data: bool = True,
) -> Recording:
    """Train two weights; every replica differentiates `loss`, the gradients are added.

    That is what a Keras optimizer does.

    Args:
        loss: gets squared errors, float32 of shape (rows of this replica,), and the
            replica context; returns one number.
        rows: the examples, in the order they are used.
        batch: rows in a step; the last of an epoch may be smaller.
        steps: number of steps; epochs repeat in the same order.
        devices: one replica on each of these.
        label: how figures name this run.
        by_tf_data: as in `train_on_replicas`.

    Raises:
        StepFailed: `loss` stopped with an error or returned something else.
    """

    def step(w: tf.Variable, x: tf.Tensor, y: tf.Tensor) -> None:
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            value = _one_number(loss((tf.linalg.matvec(x, w) - y) ** 2, context))
        gradient = tape.gradient(value, w, unconnected_gradients="zero")
        w.assign_sub(LEARNING_RATE * context.all_reduce("SUM", gradient))

    return train_on_replicas(step, rows, batch, steps, devices, label, loss, by_tf_data)


def example_weights(
    loss: Loss, counts: Sequence[int], devices: list[str]
) -> list[np.ndarray]:
    """Return the weight that `loss` gives to each example of one step.

    The weight is the derivative of the replicas' losses by the example's own loss: how
    hard the example pulls. In a mean over m examples it is 1 / m.

    Args:
        loss: as in `train_with_loss`.
        counts: how many examples each replica has.
        devices: one replica on each of these.

    Returns:
        For each replica float64 of shape (its examples,).

    Raises:
        StepFailed: `loss` stopped with an error or returned something else.
    """

    def derivative(per_example: tf.Tensor, context) -> tf.Tensor:
        with tf.GradientTape() as tape:
            tape.watch(per_example)
            value = _one_number(loss(per_example, context))
        return tape.gradient(value, per_example, unconnected_gradients="zero")

    ones = [np.ones(count, np.float32) for count in counts]
    weights, _ = call_on_replicas(derivative, ones, devices, written=loss)
    return [part.astype(np.float64) for part in weights]


NUMBER = "the loss as one number, a tensor without axes"


def _one_number(value: object) -> tf.Tensor:
    if value is None:
        raise WrongReturn.of(None, NUMBER)
    if tf.is_tensor(value) and value.shape.rank == 0:
        return value
    what = f"a tensor of shape {value.shape}" if tf.is_tensor(value) else repr(value)
    raise WrongReturn.of(value, NUMBER, what)


def fraction(weight: float) -> str:
    """Return 0.25 as 1/4, where it is such a fraction."""
    near = Fraction(float(weight)).limit_denominator(64)
    return str(near) if abs(float(near) - weight) < 1e-6 else f"{weight:.3g}"
