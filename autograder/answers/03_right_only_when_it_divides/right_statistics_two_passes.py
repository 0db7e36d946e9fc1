"""First the mean, then the squares around it: two short messages."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "RIGHT"}


def my_statistics(x, ctx):
    rows = tf.cast(tf.shape(x)[0], tf.float32)
    rows, total = ctx.all_reduce("SUM", [rows, tf.reduce_sum(x, axis=0)])
    mean = total / rows
    around = tf.reduce_sum((x - mean) ** 2, axis=0)
    return mean, ctx.all_reduce("SUM", around) / rows
