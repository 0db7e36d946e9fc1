"""Sums of each micro-batch, divided at the end."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    total = None
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        if total is None:
            total = gradients
        else:
            total = [a + b for a, b in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]
