"""It returns inside the loop."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG first_only"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_mean(error)
        return part, tape.gradient(part, weights)
