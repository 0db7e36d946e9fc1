"""Rounded down, but divided by all rows."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG tail_dropped_and_counted"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size, losses = rows // micro, []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, micro * size, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)
