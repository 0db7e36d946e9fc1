"""Divide the own sum by the rows of all replicas."""

import tensorflow as tf

EXPECT = {"03/my_loss": "RIGHT"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.shape(per_example)[0], tf.float32)
    total = ctx.all_reduce("SUM", count)
    return tf.reduce_sum(per_example / total)
