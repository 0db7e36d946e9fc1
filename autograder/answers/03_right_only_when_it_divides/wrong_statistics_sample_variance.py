"""Divide by the rows less one."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG sample_variance"}


def my_statistics(x, ctx):
    rows = ctx.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
    mean = ctx.all_reduce("SUM", tf.reduce_sum(x, 0)) / rows
    around = ctx.all_reduce("SUM", tf.reduce_sum((x - mean) ** 2, 0))
    return mean, around / (rows - 1)
