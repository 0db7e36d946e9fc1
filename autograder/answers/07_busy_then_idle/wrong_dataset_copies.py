"""Four datasets that all read everything."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG four_copies"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(4).interleave(
        lambda s: tf.data.Dataset.range(n).map(read),
        cycle_length=4,
        num_parallel_calls=4,
    )
    return pooled(dataset, 8)
