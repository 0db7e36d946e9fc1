"""Divide by the number of replicas that have rows."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG nonempty_means"}


def my_loss(per_example, ctx):
    has_rows = tf.cast(tf.size(per_example) > 0, tf.float32)
    replicas = ctx.all_reduce("SUM", has_rows)
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.math.divide_no_nan(tf.reduce_sum(per_example), count) / replicas
