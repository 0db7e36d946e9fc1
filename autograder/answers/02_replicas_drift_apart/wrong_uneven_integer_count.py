"""Reduce an integer count beside a float gradient."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "CRASHED"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, tf.shape(x)[0]])
    w.assign_sub(0.1 * gradient / tf.cast(count, tf.float32))
