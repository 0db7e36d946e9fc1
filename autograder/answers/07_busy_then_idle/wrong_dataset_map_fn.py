"""A batch of reads in one call."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_parallel_calls"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def four(ids):
        return tf.map_fn(
            read, ids, fn_output_signature=tf.float32, parallel_iterations=4
        )

    return pooled(tf.data.Dataset.range(n).batch(4).map(four).unbatch())
