"""Right, then divided by the replicas once more."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG divided_twice"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    total = ctx.all_reduce("SUM", count)
    return tf.reduce_sum(per_example) / total / ctx.num_replicas_in_sync
