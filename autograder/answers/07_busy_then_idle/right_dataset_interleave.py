"""An interleave of datasets of one element."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "RIGHT"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def one(i):
        return tf.data.Dataset.from_tensors(i).map(read)

    dataset = tf.data.Dataset.range(n).interleave(
        one, cycle_length=4, num_parallel_calls=4
    )
    return pooled(dataset)
