"""A seed of worker and step, well mixed."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG by_worker"}


def my_mask(seed, step, places, worker, workers, units):
    own = tf.random.experimental.stateless_fold_in([seed, step], worker)
    numbers = tf.random.stateless_uniform([len(places), units], own)
    return tf.cast(numbers < KEEP, tf.float32)
