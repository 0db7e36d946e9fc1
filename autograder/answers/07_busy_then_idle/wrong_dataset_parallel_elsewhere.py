"""Another map than the one that reads is parallel."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_call"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 8
    numbers = tf.data.Dataset.range(n).map(lambda i: i + 0, num_parallel_calls=4)
    return numbers.map(read).with_options(options)
