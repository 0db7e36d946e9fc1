"""A thousand times the seed, but neighbours again."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG neighbouring_seeds"}


def my_generators(seed, replicas):
    return [tf.random.Generator.from_seed(1000 * seed + r) for r in range(replicas)]
