"""As shipped."""

import tensorflow as tf

EXPECT = {"04/my_generators": "NOT ATTEMPTED"}


def my_generators(seed, replicas):
    return [tf.random.Generator.from_seed(seed + r) for r in range(replicas)]
