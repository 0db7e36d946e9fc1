"""The micro-batches are put together again after each stage."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG one_after_the_other"}


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size = -(-rows // micro)
    with tf.GradientTape() as tape:
        h = x
        for stage in stages:
            with tf.device(stage.device):
                parts = [stage(h[i : i + size]) for i in range(0, rows, size)]
            h = tf.concat(parts, axis=0)
        loss = tf.reduce_mean(tf.square(h - y))
    return loss, tape.gradient(loss, [stage.w for stage in stages])
