"""The last part is filled up with rows of zeros that count nothing."""

import tensorflow as tf

EXPECT = {"11/my_gradients": "RIGHT"}


def my_gradients(weights, x, y, row_losses, most):
    missing = -len(x) % most
    counts = tf.concat([tf.ones_like(y), tf.zeros(missing)], axis=0)
    x, y = tf.pad(x, [[0, missing], [0, 0]]), tf.pad(y, [[0, missing]])
    total = [tf.zeros_like(w) for w in weights]
    for part in range(len(x) // most):
        own = slice(part * most, (part + 1) * most)
        with tf.GradientTape() as tape:
            losses = row_losses(x[own], y[own])
            loss = tf.tensordot(losses, counts[own], 1) / tf.reduce_sum(counts)
        gradients = tape.gradient(loss, weights)
        total = [t + g for t, g in zip(total, gradients, strict=True)]
    return total
