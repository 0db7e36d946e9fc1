"""The whole loop in one graph, whose parts may run at the same time."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "CRASHED"}


@tf.function
def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most]))
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return [t / len(x) for t in total]
