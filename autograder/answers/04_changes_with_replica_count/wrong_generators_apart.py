"""Seeds a thousand apart: one stream, only further on."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG neighbouring_seeds"}
G = tf.random.Generator


def my_generators(seed, replicas):
    return [G.from_seed(seed + 1000 * r) for r in range(replicas)]
