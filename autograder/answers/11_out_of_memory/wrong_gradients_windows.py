"""Each part starts one row after the one before."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG neighbouring_windows"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    count = -(-len(x) // most)
    for i in range(count):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total
