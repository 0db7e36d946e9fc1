"""Average the means with all_reduce; the gradients are added up afterwards."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG sum_of_means"}


def my_loss(per_example, ctx):
    return ctx.all_reduce("MEAN", tf.reduce_mean(per_example))
