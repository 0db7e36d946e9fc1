"""All is read first, in threads."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG read_while_made"}


def my_dataset(read, n):
    with ThreadPoolExecutor(4) as threads:
        values = list(threads.map(read, range(n)))
    return tf.data.Dataset.from_tensor_slices(values)
