"""The global seed, set inside."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG set_seed_inside"}
KEEP = 0.75


def my_mask(step, ids, units):
    tf.random.set_seed(7)
    numbers = tf.random.uniform([tf.size(ids), units])
    return tf.cast(numbers < KEEP, tf.float32)
