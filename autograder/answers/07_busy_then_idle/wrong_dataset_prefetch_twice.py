"""prefetch on both sides."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_at_a_time"}


def my_dataset(read, n):
    dataset = tf.data.Dataset.range(n).prefetch(tf.data.AUTOTUNE).map(read)
    return dataset.prefetch(tf.data.AUTOTUNE)
