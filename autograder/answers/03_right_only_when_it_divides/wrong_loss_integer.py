"""Divide a float by an integer count: TensorFlow refuses."""

import tensorflow as tf

EXPECT = {"03/my_loss": "CRASHED"}


def my_loss(per_example, ctx):
    return tf.reduce_sum(per_example) / ctx.all_reduce("SUM", tf.size(per_example))
