"""Gather all losses on every replica."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG gathered_losses"}


def my_loss(per_example, ctx):
    everything = ctx.all_gather(per_example, axis=0)
    return tf.reduce_mean(everything) / ctx.num_replicas_in_sync
