"""Weight by the counts, and lose how far the shards lie apart."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG spread_between_lost"}


def my_statistics(x, ctx):
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    mean = tf.where(own > 0, mean, 0.0)
    variance = tf.where(own > 0, variance, 0.0)
    total = ctx.all_reduce("SUM", own)
    return (
        ctx.all_reduce("SUM", own * mean) / total,
        ctx.all_reduce("SUM", own * variance) / total,
    )
