"""A persistent tape, closed before the next rows."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        total = [
            t + tape.gradient(loss, w) for t, w in zip(total, weights, strict=True)
        ]
        del tape
    return [t / len(x) for t in total]
