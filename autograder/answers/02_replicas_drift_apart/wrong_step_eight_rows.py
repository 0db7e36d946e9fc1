"""Divides by 8."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG divided_by_eight_rows"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / 8)
