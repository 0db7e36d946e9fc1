"""set_seed does not reach the global generator."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG no_seed"}


def my_generators(seed, replicas):
    tf.random.set_seed(seed)
    return tf.random.get_global_generator().split(replicas)
