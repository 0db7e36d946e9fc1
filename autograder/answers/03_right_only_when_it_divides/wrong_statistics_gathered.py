"""Gather all rows on every replica."""

import tensorflow as tf

EXPECT = {"03/my_statistics": "WRONG gathered_rows"}


def my_statistics(x, ctx):
    return tf.nn.moments(ctx.all_gather(x, axis=0), axes=[0])
