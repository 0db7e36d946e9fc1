"""Reduce the loss inside the tape, not the gradient."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG loss_not_gradient"}


def my_step(w, x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        loss = context.all_reduce("SUM", loss)
    w.assign_sub(0.1 * tape.gradient(loss, w))
