"""Each micro-batch waits for the gradients of the one before."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG one_after_the_other"}


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
        with tf.control_dependencies(total), tf.GradientTape() as tape:
            h = through(stages, tf.identity(x[i : i + size]))
            part = tf.reduce_sum((h - y[i : i + size]) ** 2) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss, total
