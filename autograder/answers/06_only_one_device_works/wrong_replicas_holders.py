"""The devices that hold a copy of a variable."""

import tensorflow as tf

EXPECT = {"06/my_real_replicas": "WRONG devices_that_hold_a_copy"}


def my_real_replicas(strategy):
    with strategy.scope():
        v = tf.Variable(0.0)
    return len({copy.device for copy in v.values})
