"""The whole batch still, written in another way."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG whole_batch"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((through(stages, x) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])
