"""Parallel calls, but one thread."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_threads"}


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.prefetch(tf.data.AUTOTUNE)
