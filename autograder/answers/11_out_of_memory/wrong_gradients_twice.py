"""One pass for the loss, one for the gradient."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG computed_twice"}


def my_gradients(weights, x, y, row_losses, most):
    total, error = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, len(x), most):
        error += tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total
