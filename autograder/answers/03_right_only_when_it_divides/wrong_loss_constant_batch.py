"""compute_average_loss with the full batch size."""

import tensorflow as tf

EXPECT = {"03/my_loss": "WRONG constant_batch"}


def my_loss(per_example, ctx):
    return tf.nn.compute_average_loss(per_example, global_batch_size=8)
