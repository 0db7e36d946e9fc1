"""Threads, but a map that does one at a time."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_parallel_calls"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    return pooled(tf.data.Dataset.range(n).map(read).prefetch(4))
