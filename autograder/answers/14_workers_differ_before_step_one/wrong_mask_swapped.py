"""Kept where it should be dropped."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG rate_swapped"}


def my_mask(seed, step, places, worker, workers, units):
    table = tf.random.stateless_uniform([1000, units], seed=[seed, step])
    numbers = tf.gather(table, places * workers + worker)
    return tf.cast(numbers > KEEP, tf.float32)
