"""It returns nothing."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "CRASHED"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    size = -(-x.shape[0] // micro)
    for i in range(0, x.shape[0], size):
        through(stages, x[i : i + size])
