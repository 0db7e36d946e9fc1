"""The values are changed."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG not_read"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    return pooled(
        tf.data.Dataset.range(n).map(lambda i: 2 * read(i) + 1, num_parallel_calls=4)
    )
