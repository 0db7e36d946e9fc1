"""The first part, and then the rest."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    def summed(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[:most], y[:most]))
        own = tape.gradient(loss, weights)
        if len(x) <= most:
            return own
        rest = summed(x[most:], y[most:])
        return [a + b for a, b in zip(own, rest, strict=True)]

    return tuple(g / len(x) for g in summed(x, y))
