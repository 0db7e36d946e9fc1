"""Three sums, each all-reduced by itself."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "RIGHT"}


def my_statistics(x, ctx):
    rows = ctx.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
    mean = ctx.all_reduce("SUM", tf.reduce_sum(x, axis=0)) / rows
    squares = ctx.all_reduce("SUM", tf.reduce_sum(tf.square(x), axis=0)) / rows
    return [mean, squares - tf.square(mean)]
