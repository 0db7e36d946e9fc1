"""Divide by the own count and the replicas: the same mean of means."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG mean_of_means"}


def my_loss(per_example, ctx):
    rows = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / (rows * ctx.num_replicas_in_sync)
