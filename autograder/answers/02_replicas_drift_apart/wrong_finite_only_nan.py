"""Test for NaN only: an infinite gradient passes."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG only_nan_tested"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    bad = tf.reduce_any(tf.math.is_nan(gradient))
    gradient = tf.where(bad, tf.zeros_like(gradient), gradient)
    count = tf.where(bad, 0.0, tf.cast(tf.shape(x)[0], tf.float32))
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))
