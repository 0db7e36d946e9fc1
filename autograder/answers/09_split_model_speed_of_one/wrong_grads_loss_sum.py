"""Right gradients; the loss is a sum."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG loss_not_divided"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss * rows, total
