"""AUTOTUNE, in a pool of its own."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "RIGHT"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return pooled(dataset.prefetch(tf.data.AUTOTUNE), 8)
