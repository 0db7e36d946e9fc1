"""NumPy in a graph."""

import numpy as np

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    packed = np.concatenate([g.numpy().ravel() for g in gradients])
    packed = context.all_reduce("SUM", tf.constant(packed))
    return tf.split(packed, len(gradients))
