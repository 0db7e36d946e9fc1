"""The mean count times the number of replicas is the count of all."""

import tensorflow as tf

EXPECT = {"03/my_loss": "RIGHT"}


def my_loss(per_example, ctx):
    rows = tf.reduce_sum(tf.ones_like(per_example))
    rows = ctx.num_replicas_in_sync * ctx.all_reduce(tf.distribute.ReduceOp.MEAN, rows)
    return tf.reduce_sum(per_example) / rows
