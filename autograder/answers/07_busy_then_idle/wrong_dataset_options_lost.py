"""The dataset that with_options returns is thrown away."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_threads"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    dataset.with_options(options)
    return dataset
