"""Another way to send all rows at once."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG all_at_once"}


def my_gradients(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(row_losses(x, y)) / len(x)
    return tape.gradient(loss, weights)
