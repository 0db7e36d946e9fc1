"""Returns in the loop."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG first_share_only"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for start in range(0, len(x), most):
        part = slice(start, start + most)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[part], y[part])) / len(x)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
        return total
