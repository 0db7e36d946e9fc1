"""A call for every row."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG one_row_at_a_time"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(len(x)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(x[i : i + 1], y[i : i + 1]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total
