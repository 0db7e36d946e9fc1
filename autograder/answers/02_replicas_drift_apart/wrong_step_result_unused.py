"""Combine the gradients, and apply the own one."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG no_all_reduce"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    tf.distribute.get_replica_context().all_reduce("MEAN", gradient)
    w.assign_sub(0.1 * gradient)
