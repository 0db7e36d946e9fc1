"""Own statistics, written out."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG own_shard"}


def my_statistics(x, ctx):
    mean = tf.reduce_mean(x, axis=0)
    return mean, tf.reduce_mean((x - mean) ** 2, axis=0)
