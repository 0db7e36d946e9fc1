"""Sums, averaged over the replicas."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG mean_of_sums"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))
