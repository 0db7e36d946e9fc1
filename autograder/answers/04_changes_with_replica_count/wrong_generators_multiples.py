"""Multiples of the seed."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG neighbouring_seeds"}
G = tf.random.Generator


def my_generators(seed, replicas):
    return [G.from_seed(seed * (r + 1)) for r in range(replicas)]
