"""An interleave without parallel calls."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_parallel_calls"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(4).interleave(
        lambda s: tf.data.Dataset.range(n).shard(4, s).map(read), cycle_length=4
    )
    return pooled(dataset)
