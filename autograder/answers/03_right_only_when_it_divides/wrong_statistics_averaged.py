"""Average the replicas' statistics."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG mean_of_statistics"}


def my_statistics(x, ctx):
    mean, variance = tf.nn.moments(x, axes=[0])
    return ctx.all_reduce("MEAN", [mean, variance])
