"""A job whose replicas multiply unequally often, under TensorFlow's profiler."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from course.lessons.n09_four_devices_speed_of_one.op_events import OpEvent, profile
from course.runs.devices import mirrored
from course.runs.replicas import hand_out


def profiled(
    plan: Sequence[int],
    devices: Sequence[str],
    steps: int,
    layer: str = "layer",
    product: str = "MatMul",
) -> list[OpEvent]:
    """Run `steps` steps in which replica r multiplies matrices `plan[r]` times.

    Args:
        plan: a number for each replica.
        devices: one replica on each.
        steps: how many are in the trace.
        layer: the name of the scope in which the operations are made.
        product: the name of the multiplications.

    Returns:
        What the profiler saw. Not every operation with "MatMul" in its name is of that
        type: each replica has a sum of this name, and another kind of multiplication.
    """
    strategy = mirrored(devices)

    def step(value):
        context = tf.distribute.get_replica_context()
        replica = int(tf.get_static_value(context.replica_id_in_sync_group))
        with tf.name_scope(layer):
            matrix = value * tf.ones((8, 8))
            for _ in range(plan[replica]):
                matrix = tf.matmul(matrix, matrix, name=product)
            ones = value * tf.ones((2, 2))
            other = tf.raw_ops.SparseMatMul(a=ones, b=ones)  # of another type
            return tf.reduce_sum(matrix, name="AfterMatMul") + tf.reduce_sum(other)

    # the replicas get different values: equal constants would be computed beforehand
    values = hand_out(strategy, [0.1 + 0.01 * r for r in range(len(devices))])
    run = tf.function(lambda value: strategy.run(step, args=(value,)))
    return profile(lambda: run(values), steps)
