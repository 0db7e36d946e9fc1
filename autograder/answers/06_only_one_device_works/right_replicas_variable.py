"""Where a variable of each device really is."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "RIGHT"}


def my_real_replicas(strategy):
    works = 0
    for name in strategy.extended.worker_devices:
        with tf.device(name):
            works += tf.Variable(0.0).device == name
    return works
