"""A tape for each micro-batch, but all kept until the end."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG held_together"}


def my_gradients(weights, x, y, row_losses, most):
    tapes, total = [], [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        tapes.append((tape, loss))
    for tape, loss in tapes:
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total
