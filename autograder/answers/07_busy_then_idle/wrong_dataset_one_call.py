"""Four threads, and one call at a time."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_call"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=1)
    return dataset.with_options(options)
