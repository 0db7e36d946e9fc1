"""Divide by zero rows where no replica is left."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG divided_by_zero"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    total, rows = context.all_reduce("SUM", [gradient, tf.where(good, rows, 0.0)])
    w.assign_sub(0.1 * total / rows)
