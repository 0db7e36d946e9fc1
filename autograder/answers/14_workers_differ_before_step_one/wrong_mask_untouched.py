"""The shipped code, renamed."""

import tensorflow as tf

EXPECT = {"14/my_mask": "NOT ATTEMPTED"}


def my_mask(seed, step, places, worker, workers, units):
    own_seed = [seed + worker, step]
    numbers = tf.random.stateless_uniform([len(places), units], seed=own_seed)
    return tf.cast(numbers < KEEP, tf.float32)
