"""Divide by the replicas, but never add up."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG divided_not_reduced"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * gradient / context.num_replicas_in_sync)
