"""Means, weighed with the rows of their micro-batch."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "RIGHT"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    weights = [stage.w for stage in stages]
    size, parts = -(-x.shape[0] // micro), []
    for k in range(micro):
        rows = x[k * size : (k + 1) * size]
        with tf.GradientTape() as tape:
            mean = tf.reduce_mean(
                (through(stages, rows) - y[k * size : (k + 1) * size]) ** 2
            )
        share = rows.shape[0] / x.shape[0]
        parts.append([share * mean, *(share * g for g in tape.gradient(mean, weights))])
    loss, *gradients = [tf.add_n(list(part)) for part in zip(*parts, strict=True)]
    return loss, tuple(gradients)
