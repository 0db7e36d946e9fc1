"""Return one number for each row."""

import tensorflow as tf

EXPECT = {"03/my_loss": "CRASHED"}


def my_loss(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    return per_example / ctx.all_reduce("SUM", count)
