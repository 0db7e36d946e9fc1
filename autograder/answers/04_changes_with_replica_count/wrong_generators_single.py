"""A generator instead of a list."""

import tensorflow as tf

EXPECT = {"04/my_generators": "CRASHED"}


def my_generators(seed, replicas):
    return tf.random.Generator.from_seed(seed)
