"""prefetch before the map."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_at_a_time"}


def my_dataset(read, n):
    return tf.data.Dataset.range(n).prefetch(4).map(read)
