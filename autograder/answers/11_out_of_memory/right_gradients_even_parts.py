"""As many parts as needed, of nearly equal size."""

import math

import numpy as np
import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    count = math.ceil(len(x) / most)
    total = [0.0 for _ in weights]
    for ids in np.array_split(np.arange(len(x)), count):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(tf.gather(x, ids), tf.gather(y, ids)))
        gradients = tape.gradient(loss, weights)
        total = [t + g.numpy() / len(x) for t, g in zip(total, gradients, strict=True)]
    return total
