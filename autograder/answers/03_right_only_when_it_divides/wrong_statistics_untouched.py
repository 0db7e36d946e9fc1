"""As shipped."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "NOT ATTEMPTED"}


def my_statistics(x, ctx):
    return tf.nn.moments(x, axes=[0])
