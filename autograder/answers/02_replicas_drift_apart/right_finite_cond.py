"""Choose with tf.cond, and divide by at least one row."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "RIGHT"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient, rows = tf.cond(
        good, lambda: (gradient, rows), lambda: (tf.zeros(2), tf.constant(0.0))
    )
    total = context.all_reduce("SUM", gradient)
    rows = context.all_reduce("SUM", rows)
    w.assign_sub(0.1 * total / tf.maximum(rows, 1.0))
