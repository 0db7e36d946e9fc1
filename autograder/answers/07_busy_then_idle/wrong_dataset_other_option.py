"""The wrong option of threading."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_threads"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.max_intra_op_parallelism = 4
    return (
        tf.data.Dataset.range(n).map(read, num_parallel_calls=4).with_options(options)
    )
