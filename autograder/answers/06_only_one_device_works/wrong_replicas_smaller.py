"""The smaller of two numbers."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG never_more_than_devices"}


def my_real_replicas(strategy):
    exist = len(tf.config.list_logical_devices())
    return min(exist, strategy.num_replicas_in_sync)
