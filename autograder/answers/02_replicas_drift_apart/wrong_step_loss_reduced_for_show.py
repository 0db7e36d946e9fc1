"""Reduce the loss, outside the tape: nothing changes."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG no_all_reduce"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    loss = context.all_reduce("MEAN", loss)
    tf.debugging.assert_all_finite(loss, "the loss is not finite")
    w.assign_sub(0.1 * gradient)
