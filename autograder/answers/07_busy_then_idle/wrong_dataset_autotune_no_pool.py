"""AUTOTUNE, but one thread."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_threads"}


def my_dataset(read, n):
    calls = tf.data.AUTOTUNE
    return tf.data.Dataset.range(n).map(read, num_parallel_calls=calls).prefetch(calls)
