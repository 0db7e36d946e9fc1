"""The step as the seed of all replicas."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG same_on_all_replicas"}
KEEP = 0.75


def my_mask(step, ids, units):
    numbers = tf.random.stateless_uniform([tf.size(ids), units], seed=[step, 0])
    return tf.cast(numbers < KEEP, tf.float32)
