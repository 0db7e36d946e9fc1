"""Each element is read twice."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG read_again"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def mean(i):
        return (read(i) + read(i)) / 2

    return pooled(tf.data.Dataset.range(n).map(mean, num_parallel_calls=4))
