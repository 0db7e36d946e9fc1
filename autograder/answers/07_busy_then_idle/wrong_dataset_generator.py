"""A generator has one thread."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG no_parallel_calls"}


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def my_dataset(read, n):
    def generate():
        for i in range(n):
            yield read(i)

    dataset = tf.data.Dataset.from_generator(
        generate, output_signature=tf.TensorSpec([], tf.float32)
    )
    return pooled(dataset.prefetch(tf.data.AUTOTUNE))
