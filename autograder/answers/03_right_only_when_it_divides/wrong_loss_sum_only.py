"""Add up and never divide."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG sum_only"}


def my_loss(per_example, ctx):
    return tf.reduce_sum(per_example)
