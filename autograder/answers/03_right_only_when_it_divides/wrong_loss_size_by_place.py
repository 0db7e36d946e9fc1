"""The batch size in the place of the sample weights."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG size_as_sample_weight"}


def my_loss(per_example, ctx):
    return tf.nn.compute_average_loss(per_example, 8)
