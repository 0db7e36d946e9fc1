"""Each replica applies its own gradient."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG no_all_reduce"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
