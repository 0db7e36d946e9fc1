"""One tape over all micro-batches."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG held_together"}


def my_gradients(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        loss /= len(x)
    return tape.gradient(loss, weights)
