"""Batches of four, without the rest."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG rest_lost"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=4))
    return dataset.batch(4, drop_remainder=True).unbatch()
