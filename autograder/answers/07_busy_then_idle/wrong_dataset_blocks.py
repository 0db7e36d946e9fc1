"""Four blocks side by side."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG another_order"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def block(k):
        return tf.data.Dataset.range(k * n // 4, (k + 1) * n // 4).map(read)

    dataset = tf.data.Dataset.range(4).interleave(
        block, cycle_length=4, num_parallel_calls=4
    )
    return pooled(dataset, 8)
