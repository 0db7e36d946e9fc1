"""A seed of its own."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG seed_ignored"}


def my_generators(seed, replicas):
    return tf.random.Generator.from_seed(42).split(replicas)
