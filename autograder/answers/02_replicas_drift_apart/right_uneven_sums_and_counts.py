"""Add up gradient sums and row counts, then divide."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "RIGHT"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * total / rows)
