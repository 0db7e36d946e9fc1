"""recompute_grad over the whole batch: all of it is computed again."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "WRONG"}


def my_gradients(weights, x, y, row_losses, most):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.recompute_grad(row_losses)(x, y))
    return tape.gradient(loss, weights)
