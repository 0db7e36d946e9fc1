"""Reduce and update by hand in the cross-replica context."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "RIGHT"}


def apply_everywhere(strategy, total, rows, w):
    total = strategy.extended.reduce_to("SUM", total, destinations=w)
    rows = strategy.extended.reduce_to("SUM", rows, destinations=w)
    strategy.extended.update(
        w, lambda v, g, n: v.assign_sub(0.1 * g / n), args=(total, rows)
    )


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    total, rows = tape.gradient(loss, w), tf.cast(tf.shape(y)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    context.merge_call(apply_everywhere, args=(total, rows, w))
