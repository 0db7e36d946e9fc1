"""Sums, not divided."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG not_divided"}


def my_statistics(x, ctx):
    return ctx.all_reduce("SUM", [tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)])
