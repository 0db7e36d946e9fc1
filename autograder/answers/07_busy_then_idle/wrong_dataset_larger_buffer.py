"""A larger buffer."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_at_a_time"}


def my_dataset(read, n):
    return tf.data.Dataset.range(n).map(read).prefetch(100)
