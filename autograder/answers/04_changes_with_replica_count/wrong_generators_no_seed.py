"""Made from the machine's own entropy."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG no_seed"}


def my_generators(seed, replicas):
    return tf.random.Generator.from_non_deterministic_state().split(replicas)
