"""The tape is closed before the network runs."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "CRASHED"}


def my_gradients(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        part_x, part_y = x[:most], y[:most]
    return tape.gradient(tf.reduce_mean(row_losses(part_x, part_y)), weights)
