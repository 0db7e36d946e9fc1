"""tf.nn.dropout on ones: still the same kind of source."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG stateful"}
KEEP = 0.75


def my_mask(step, ids, units):
    ones = tf.ones([tf.size(ids), units])
    return tf.cast(tf.nn.dropout(ones, 1 - KEEP) > 0, tf.float32)
