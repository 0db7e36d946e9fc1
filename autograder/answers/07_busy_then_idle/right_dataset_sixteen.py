"""More of everything, and a cache."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "RIGHT"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=16), 16)
    return dataset.cache().prefetch(2)
