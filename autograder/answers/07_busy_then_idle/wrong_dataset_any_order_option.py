"""The same by an option."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG another_order"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    options.deterministic = False
    return (
        tf.data.Dataset.range(n)
        .map(read, num_parallel_calls=4)
        .prefetch(2)
        .with_options(options)
    )
