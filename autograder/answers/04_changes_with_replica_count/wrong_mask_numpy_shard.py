"""NumPy's numbers for the rows of a shard."""

import numpy as np
import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG frozen_in_the_shard"}
KEEP = 0.75


def my_mask(step, ids, units):
    return tf.cast(np.random.random((ids.shape[0], units)) < KEEP, tf.float32)
