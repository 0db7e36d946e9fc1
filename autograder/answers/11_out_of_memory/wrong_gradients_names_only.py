"""Adds to the loop's own name."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG nothing_added"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        for t, g in zip(total, tape.gradient(loss, weights), strict=True):
            t += g
    return total
