"""seed= of the operation."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG operation_seed"}
KEEP = 0.75


def my_mask(step, ids, units):
    numbers = tf.random.uniform([tf.size(ids), units], seed=7)
    return tf.cast(numbers < KEEP, tf.float32)
