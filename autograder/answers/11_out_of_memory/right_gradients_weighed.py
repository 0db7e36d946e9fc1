"""Means, weighed with their rows."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        part_x, part_y = x[i : i + most], y[i : i + most]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(row_losses(part_x, part_y))
        share = len(part_x) / len(x)
        for k, gradient in enumerate(tape.gradient(loss, weights)):
            total[k] += share * gradient
    return total
