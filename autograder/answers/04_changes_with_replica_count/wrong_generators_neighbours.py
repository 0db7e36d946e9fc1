"""Seed plus replica, the other way round."""

import tensorflow as tf

EXPECT = {"04/my_generators": "WRONG neighbouring_seeds"}


def my_generators(seed, replicas):
    made = []
    for replica in range(replicas):
        made.append(tf.random.Generator.from_seed(replica + seed))
    return made
