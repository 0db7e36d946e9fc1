"""Right with rows on every replica, NaN without."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG nan_if_empty"}


def my_statistics(x, ctx):
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    moments = [own, own * mean, own * (variance + mean**2)]
    total, first, second = ctx.all_reduce("SUM", moments)
    return first / total, second / total - (first / total) ** 2
