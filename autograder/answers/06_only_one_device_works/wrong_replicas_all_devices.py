"""All devices of the process."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG all_devices"}


def my_real_replicas(strategy):
    return len(tf.config.list_logical_devices())
