"""A pool of one thread."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_thread"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=4)
    return dataset.with_options(options)
