"""Count the numbers instead of the rows."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG numbers_counted"}


def my_statistics(x, ctx):
    count = tf.cast(tf.size(x), tf.float32)
    sums = [count, tf.reduce_sum(x, axis=0), tf.reduce_sum(x**2, axis=0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    mean = total / count
    return mean, squares / count - mean**2
