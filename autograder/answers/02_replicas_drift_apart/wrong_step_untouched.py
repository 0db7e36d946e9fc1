"""The shipped code, with a comment and without its docstring."""

import tensorflow as tf

EXPECT = {"02/my_step": "NOT ATTEMPTED"}


def my_step(w, x, y):
    # each replica on its own rows
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    w.assign_sub(LEARNING_RATE * gradient)
