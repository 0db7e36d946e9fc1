"""The mean of the squares in the place of the variance."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG second_moment"}


def my_statistics(x, ctx):
    sums = [tf.cast(len(x), tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    return total / count, squares / count
