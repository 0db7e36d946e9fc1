"""The shipped code, with a comment."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "NOT ATTEMPTED"}


def my_gradients(weights, x, y, row_losses, most):
    """All rows at once."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(row_losses(x, y))  # every row
    return tape.gradient(loss, weights)
