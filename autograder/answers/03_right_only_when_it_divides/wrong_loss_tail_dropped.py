"""Leave out steps that are not full: none of the known mistakes."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    total = ctx.all_reduce("SUM", count)
    loss = tf.reduce_sum(per_example) / total
    return tf.where(total < 8.0, 0.0 * loss, loss)
