"""What workers do together: a strategy, a synchronous step, the sum of a number."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import tensorflow as tf
from tensorflow.python.distribute.collective_all_reduce_strategy import (
    CollectiveAllReduceExtended,
)

from course.runs.workloads import LEARNING_RATE

_kept: list[tf.distribute.Strategy] = []  # other workers may still read from them


def worker_strategy(health_checks: bool = True) -> tf.distribute.Strategy:
    """Return this worker's MultiWorkerMirroredStrategy, which lives as long as it.

    health_checks: whether it asks its peers every 30 s, and when it starts, whether
        they are there (TensorFlow's default); each is a message of its own.
    """
    with mock.patch.object(
        CollectiveAllReduceExtended, "_enable_check_health", health_checks
    ):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
    _kept.append(strategy)
    return strategy


def step_over_workers(strategy: tf.distribute.Strategy, w: tf.Variable) -> Callable:
    """Return `step(x, y)`: SGD on the mean squared error over all workers' rows.

    w: a variable of shape (2,); x: float32, (rows, 2); y: float32, (rows,). A worker
    without rows takes part.
    """

    def replica_step(x: tf.Tensor, y: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
        gradient = tape.gradient(loss, w)
        count = tf.cast(tf.shape(x)[0], tf.float32)
        context = tf.distribute.get_replica_context()
        gradient, count = context.all_reduce("SUM", [gradient, count])
        w.assign_sub(LEARNING_RATE * gradient / count)

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, 2], tf.float32),
            tf.TensorSpec([None], tf.float32),
        ]
    )
    def step(x: tf.Tensor, y: tf.Tensor) -> None:
        strategy.run(replica_step, (x, y))

    return step


def sum_of_workers(strategy: tf.distribute.Strategy) -> Callable:
    """Return `total(number)`: a float32 number, summed over all workers."""

    def replica_sum(number: tf.Tensor) -> tf.Tensor:
        # the strategy asks on which device a value is; an argument is on none
        number = tf.identity(number)
        return tf.distribute.get_replica_context().all_reduce("SUM", number)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def total(number: tf.Tensor) -> tf.Tensor:
        return strategy.run(replica_sum, (number,))

    return total
