"""Four calls, two threads."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG too_few_threads"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    return pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=4), 2)
