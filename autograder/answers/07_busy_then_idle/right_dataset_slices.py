"""Numbers from a list; nothing added by TensorFlow."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "RIGHT"}


def my_dataset(read, n):
    options = tf.data.Options()
    options.threading.private_threadpool_size = 5
    options.experimental_optimization.apply_default_optimizations = False
    numbers = tf.data.Dataset.from_tensor_slices(tf.range(n))
    return numbers.map(read, num_parallel_calls=4).prefetch(1).with_options(options)
