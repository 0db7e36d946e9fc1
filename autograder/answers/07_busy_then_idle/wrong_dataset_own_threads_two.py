"""A generator with two threads of its own."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG too_few_at_a_time"}


def my_dataset(read, n):
    def generate():
        with ThreadPoolExecutor(2) as pool:
            for begin in range(0, n, 2):
                numbers = tf.range(begin, min(begin + 2, n), dtype=tf.int64)
                yield from pool.map(read, numbers)

    spec = tf.TensorSpec([], tf.float32)
    return tf.data.Dataset.from_generator(generate, output_signature=spec)
