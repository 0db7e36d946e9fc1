"""Tests the loss."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG not_every_component"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.math.is_finite(loss)
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))
