"""One number from each replica, gathered instead of added up."""

import tensorflow as tf

EXPECT = {"03/my_loss": "RIGHT"}


def my_loss(per_example, ctx):
    counts = ctx.all_gather(tf.shape(per_example), axis=0)
    rows = tf.cast(tf.reduce_sum(counts), tf.float32)
    return tf.reduce_sum(per_example) / rows
