"""Combine local moments by counts, the empty shard set to zero."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "RIGHT"}


def my_statistics(x, ctx):
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    mean = tf.where(own > 0, mean, tf.zeros_like(mean))
    variance = tf.where(own > 0, variance, tf.zeros_like(variance))
    total = ctx.all_reduce("SUM", own)
    first = ctx.all_reduce("SUM", own * mean) / total
    second = ctx.all_reduce("SUM", own * (variance + mean**2)) / total
    return first, second - first**2
