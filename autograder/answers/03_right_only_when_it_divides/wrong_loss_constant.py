"""A loss that does not depend on the rows."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG no_gradient"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    return ctx.all_reduce("SUM", count) / ctx.num_replicas_in_sync
