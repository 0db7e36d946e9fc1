"""Keeps the last share only."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG last_share_only"}


def my_gradients(weights, x, y, row_losses, most):
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
    return gradients
