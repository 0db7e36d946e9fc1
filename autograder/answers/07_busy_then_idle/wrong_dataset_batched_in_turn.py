"""A batch, and nothing else."""

import tensorflow as tf

EXPECT = {"07/my_dataset": "WRONG one_at_a_time_batched"}


def my_dataset(read, n):
    return tf.data.Dataset.range(n).map(read).batch(4).prefetch(tf.data.AUTOTUNE)
