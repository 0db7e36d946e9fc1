"""Only the rows that fit."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG first_only"}


def my_gradients(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x[:most], y[:most]))
    return tape.gradient(loss, weights)
