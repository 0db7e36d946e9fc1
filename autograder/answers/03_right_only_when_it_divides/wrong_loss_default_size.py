"""compute_average_loss without the size."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG mean_of_means"}


def my_loss(per_example, ctx):
    return tf.nn.compute_average_loss(per_example)
