"""One tape over the mean of the means."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG mean_of_means_held"}


def my_gradients(weights, x, y, row_losses, most):
    count = -(-len(x) // most)
    with tf.GradientTape() as tape:
        loss = 0.0
        for i in range(0, len(x), most):
            loss += tf.reduce_mean(row_losses(x[i : i + most], y[i : i + most]))
        loss = loss / count
    return tape.gradient(loss, weights)
