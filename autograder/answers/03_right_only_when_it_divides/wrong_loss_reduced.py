"""Reduce the loss as well as the count: the gradients are added up once more."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG times_replicas"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    total, count = ctx.all_reduce("SUM", [tf.reduce_sum(per_example), count])
    return total / count
