"""Parts of half the size that fits."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most // 2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most // 2], y[i : i + most // 2]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]
