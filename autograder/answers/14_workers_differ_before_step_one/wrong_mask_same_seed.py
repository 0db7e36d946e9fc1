"""The same numbers on all workers."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG place_for_row"}


def my_mask(seed, step, places, worker, workers, units):
    numbers = tf.random.stateless_uniform([len(places), units], [seed, step])
    return tf.cast(numbers < KEEP, tf.float32)
