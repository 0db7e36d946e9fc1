"""Train two weights with a rule for the gradient: on replicas, and on one device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, sentences_of
from course.runs.recording import Recording
from course.runs.replicas import train_on_replicas
from course.runs.workloads import LEARNING_RATE, Rows

LIMIT = 2.0  # the longest gradient that is applied

# (gradient of the sum over own rows, own number of rows, context) -> what is applied
Gradient = Callable[[tf.Tensor, tf.Tensor, tf.distribute.ReplicaContext], tf.Tensor]


def train_with_gradient(
    gradient: Gradient,
    rows: Rows,
    batch: int,
    steps: int,
    devices: list[str],
    label: str = "yours",
    by_tf_data: bool = True,
) -> Recording:
    """Train on replicas; each applies what `gradient` returns, by plain SGD.

    Args:
        gradient: `gradient(own, rows, ctx)`, called in every replica: `own` is the
            gradient of the SUM of its rows' squared errors, float32 of shape (2,),
            `rows` their number, a float32 scalar, `ctx` the replica's context.
        rows: the examples, in the order they are used.
        batch: rows in a step; the last of an epoch may be smaller.
        steps: number of steps.
        devices: one replica on each of these.
        label: how figures name this run.
        by_tf_data: as in `train_on_replicas`.

    Raises:
        StepFailed: `gradient` stopped with an error; it says where, and why.
    """

    def step(w, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
        own, count = tape.gradient(loss, w), tf.cast(tf.shape(x)[0], tf.float32)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * gradient(own, count, context))

    return train_on_replicas(
        step, rows, batch, steps, devices, label, gradient, by_tf_data
    )


def train_alone(rows: Rows, batch: int, steps: int) -> Recording:
    """Train on one device: the mean gradient, checked, clipped to LIMIT, applied.

    A step whose gradient is not finite changes nothing.
    """
    w = tf.Variable([0.0, 0.0])

    @tf.function(reduce_retracing=True)
    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        gradient = tape.gradient(loss, w)
        if tf.reduce_all(tf.math.is_finite(gradient)):
            w.assign_sub(LEARNING_RATE * tf.clip_by_norm(gradient, LIMIT))

    copies, batches = [w.numpy()], rows.batches(batch, steps)
    for part in batches:
        step(tf.constant(part.x), tf.constant(part.y))
        copies.append(w.numpy())
    ids = tuple((tuple(part.ids.tolist()),) for part in batches)
    counts = tuple((len(part),) for part in batches)
    return Recording("sequential", np.array(copies, np.float64)[:, None], ids, counts)


@contextmanager
def in_fit(gradient: Gradient) -> Iterator[None]:
    """Turn an error of `fit` into sentences about `gradient`.

    A right answer to the exercise may still stop here: `fit` has gradients of other
    shapes.

    Raises:
        StepFailed: `gradient` stopped with an error; it says where, and why.
    """
    try:
        with sentences_of(gradient):
            yield
    except StepFailed as failed:
        raise StepFailed(
            (
                *failed.sentences,
                "In fit, `own` has the shape of each weight: (2, 4), (4,), (4, 1) and "
                "(1,). Does your function work for the shape (2,) only? Use "
                "tf.zeros_like(own), and send `own` and `count` as a list.",
            )
        ) from failed
