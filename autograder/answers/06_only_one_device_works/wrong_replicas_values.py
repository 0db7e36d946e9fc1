"""The number of copies of a variable."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG in_sync"}


def my_real_replicas(strategy):
    with strategy.scope():
        v = tf.Variable(0.0)
    return len(v.values)
