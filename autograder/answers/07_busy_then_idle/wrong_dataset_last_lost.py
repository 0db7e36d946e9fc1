"""One too few."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG last_lost"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    return pooled(tf.data.Dataset.range(n - 1).map(read, num_parallel_calls=4))
