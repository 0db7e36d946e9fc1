"""tf.split into a number of parts that does not divide."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "CRASHED"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    with tf.GradientTape() as tape:
        parts = [through(stages, part) for part in tf.split(x, micro)]
        loss = tf.reduce_mean((tf.concat(parts, axis=0) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])
