"""Ask the tape for a gradient it did not watch."""

import tensorflow as tf

EXPECT = {"02/my_step": "CRASHED"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w.numpy()) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
