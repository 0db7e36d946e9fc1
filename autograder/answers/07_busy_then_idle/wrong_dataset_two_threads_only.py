"""A pool of two threads, and nothing that uses them."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG few_threads_no_parallel_calls"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 2
    return tf.data.Dataset.range(n).map(read).prefetch(4).with_options(options)
