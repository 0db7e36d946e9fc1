"""Avoid the NaN of the empty replica, and nothing else."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG mean_of_means"}


def my_loss(per_example, ctx):
    rows = tf.cast(tf.size(per_example), tf.float32)
    mean = tf.math.divide_no_nan(tf.reduce_sum(per_example), rows)
    return mean / ctx.num_replicas_in_sync
