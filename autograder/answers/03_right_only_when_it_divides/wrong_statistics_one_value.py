"""Return the mean only."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "CRASHED"}


def my_statistics(x, ctx):
    return tf.reduce_mean(x, axis=0)
