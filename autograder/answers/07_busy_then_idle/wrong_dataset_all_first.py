"""A generator that reads everything before it yields."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG all_before_the_first_step"}


def my_dataset(read, n):
    def generate():
        with ThreadPoolExecutor(4) as threads:
            yield from list(threads.map(read, range(n)))

    return tf.data.Dataset.from_generator(
        generate, output_signature=tf.TensorSpec([], tf.float32)
    )
