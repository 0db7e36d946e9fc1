"""The weights are updated after each part."""

import tensorflow as tf

from course.jobs.workloads import LEARNING_RATE

EXPECT = {"11/my_gradients": "WRONG weights_move"}


def my_gradients(weights, x, y, row_losses, most):
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, len(x), most):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(x[i : i + most], y[i : i + most])) / len(x)
        gradients = tape.gradient(loss, weights)
        for w, g in zip(weights, gradients, strict=True):
            w.assign_sub(LEARNING_RATE * g)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total
