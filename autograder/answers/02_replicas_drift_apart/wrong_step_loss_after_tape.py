"""Reduce the loss after the tape has closed: there is no gradient then."""

import tensorflow as tf

EXPECT = {"02/my_step": "CRASHED"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    loss = tf.distribute.get_replica_context().all_reduce("MEAN", loss)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
