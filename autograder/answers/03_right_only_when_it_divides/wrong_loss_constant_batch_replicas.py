"""The full batch size, and the replicas too."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG constant_batch_and_replicas"}


def my_loss(per_example, ctx):
    return tf.reduce_sum(per_example) / 8 / ctx.num_replicas_in_sync
