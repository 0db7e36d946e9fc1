"""compute_average_loss with the size of this very step."""

import tensorflow as tf

EXPECT = {"03/my_loss": "RIGHT"}


def my_loss(per_example, ctx):
    size = ctx.all_reduce("SUM", tf.shape(per_example)[0])
    return tf.nn.compute_average_loss(per_example, global_batch_size=size)
