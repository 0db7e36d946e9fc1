"""The shipped code, with a comment."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "NOT ATTEMPTED"}


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(n).map(read)
    # read ahead
    return dataset.prefetch(tf.data.AUTOTUNE)
