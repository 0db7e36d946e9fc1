"""Persistent tapes in a list are never let go."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG held_together"}


def my_gradients(weights, x, y, row_losses, most):
    tapes, total = [], [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
        tapes.append(tape)
    return total
