"""A tf.function for each micro-batch."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    @tf.function
    def summed(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x, y))
        return tape.gradient(loss, weights)

    parts = [summed(x[i : i + most], y[i : i + most]) for i in range(0, len(x), most)]
    return [tf.add_n(gradients) / len(x) for gradients in zip(*parts, strict=True)]
