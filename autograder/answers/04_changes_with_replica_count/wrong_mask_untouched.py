"""As shipped."""

import tensorflow as tf

EXPECT = {"04/my_mask": "NOT ATTEMPTED"}
KEEP = 0.75


def my_mask(step, ids, units):
    numbers = tf.random.uniform([tf.size(ids), units])
    return tf.cast(numbers < KEEP, tf.float32)
