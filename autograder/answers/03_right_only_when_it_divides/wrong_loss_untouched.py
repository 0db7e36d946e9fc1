"""As shipped, reformatted."""

import tensorflow as tf

EXPECT = {"03/my_loss": "NOT ATTEMPTED"}


def my_loss(per_example, ctx):
    # nothing changed yet
    return (tf.reduce_mean(per_example)) / ctx.num_replicas_in_sync
