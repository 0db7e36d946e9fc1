"""The mean of the means of even parts."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG mean_of_means_even"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    sizes = [rows // micro + (i < rows - rows // micro * micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        parts = zip(tf.split(x, sizes), tf.split(y, sizes), strict=True)
        means = [tf.reduce_mean((through(stages, a) - b) ** 2) for a, b in parts]
        loss = tf.reduce_mean(means)
    return loss, tape.gradient(loss, [stage.w for stage in stages])
