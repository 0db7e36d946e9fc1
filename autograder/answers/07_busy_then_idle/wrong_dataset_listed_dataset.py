"""The dataset is made a list."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG read_while_made"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    dataset = pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=4))
    return tf.data.Dataset.from_tensor_slices(list(dataset))
