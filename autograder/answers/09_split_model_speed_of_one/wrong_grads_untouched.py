"""The shipped code, with a comment."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "NOT ATTEMPTED"}


def my_pipeline_grads(stages, x, y, micro):
    with tf.GradientTape() as tape:
        h = x
        for stage in stages:  # all rows
            with tf.device(stage.device):
                h = stage(h)
        loss = tf.reduce_mean(tf.square(h - y))
    return loss, tape.gradient(loss, [stage.w for stage in stages])
