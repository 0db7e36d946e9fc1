"""Reduce the gradient, and never apply it."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG no_update"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    context.all_reduce("MEAN", gradient)
