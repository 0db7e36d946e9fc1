"""`most` as the number of parts."""

import numpy as np
import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG number_and_size_swapped"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for ids in np.array_split(np.arange(len(x)), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(tf.gather(x, ids), tf.gather(y, ids)))
        gradients = tape.gradient(loss, weights)
        total = [t + g / len(x) for t, g in zip(total, gradients, strict=True)]
    return total
