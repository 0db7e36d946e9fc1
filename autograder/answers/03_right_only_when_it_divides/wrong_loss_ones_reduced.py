"""Add up vectors of different length."""

import tensorflow as tf

EXPECT = {"03/my_loss": "CRASHED"}


def my_loss(per_example, ctx):
    count = tf.reduce_sum(ctx.all_reduce("SUM", tf.ones_like(per_example)))
    return tf.reduce_sum(per_example) / count
