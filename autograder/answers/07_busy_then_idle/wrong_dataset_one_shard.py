"""One shard of four."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_shard"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    return pooled(tf.data.Dataset.range(n).shard(4, 0).map(read, num_parallel_calls=4))
