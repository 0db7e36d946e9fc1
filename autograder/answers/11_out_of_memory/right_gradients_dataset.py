"""tf.data cuts the batch."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    parts = tf.data.Dataset.from_tensor_slices((x, y)).batch(most)
    sums = [tf.Variable(tf.zeros_like(w)) for w in weights]
    for part_x, part_y in parts:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(row_losses(part_x, part_y)) / y.shape[0]
        for held, gradient in zip(sums, tape.gradient(loss, weights), strict=True):
            held.assign_add(gradient)
    return sums
