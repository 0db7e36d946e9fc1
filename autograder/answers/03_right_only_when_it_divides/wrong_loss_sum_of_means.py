"""Forget the division by the replicas."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG sum_of_means"}


def my_loss(per_example, ctx):
    return tf.reduce_mean(per_example)
