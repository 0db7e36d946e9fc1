"""The mean of the good replicas' means."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG mean_of_good_means"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.reduce_all(tf.math.is_finite(gradient)) & (tf.shape(x)[0] > 0)
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    context = tf.distribute.get_replica_context()
    parts = [gradient, tf.cast(finite, tf.float32)]
    gradient, count = context.all_reduce("SUM", parts)
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))
