"""The local mean, divided by the rows of all replicas."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG mean_over_all_rows"}


def my_loss(per_example, ctx):
    count = ctx.all_reduce("SUM", tf.cast(tf.size(per_example), tf.float32))
    return tf.reduce_mean(per_example) / count
