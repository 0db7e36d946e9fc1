"""A name that is none."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "CRASHED"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.private_threadpool_size = 4
    return (
        tf.data.Dataset.range(n).map(read, num_parallel_calls=4).with_options(options)
    )
