"""The same, with the empty shard's NaN."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG spread_between_lost_and_nan"}


def my_statistics(x, ctx):
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    total, mean, variance = ctx.all_reduce("SUM", [own, own * mean, own * variance])
    return mean / total, variance / total
