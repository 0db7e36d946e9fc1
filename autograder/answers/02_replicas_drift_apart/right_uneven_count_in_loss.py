"""Divide the loss by the rows of all replicas, then add."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "RIGHT"}


def my_uneven_step(w, x, y):
    context = tf.distribute.get_replica_context()
    rows = context.all_reduce("SUM", tf.cast(tf.shape(y)[0], tf.float32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / rows
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))
