"""The mean of the counts instead of their sum."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG times_replicas"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / ctx.all_reduce("MEAN", count)
