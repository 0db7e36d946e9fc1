"""One generator for all."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG one_generator"}


def my_generators(seed, replicas):
    return [tf.random.Generator.from_seed(seed)] * replicas
