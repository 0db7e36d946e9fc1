"""Keep everything: equal everywhere."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG no_dropout"}
KEEP = 0.75


def my_mask(step, ids, units):
    return tf.ones([tf.size(ids), units])
