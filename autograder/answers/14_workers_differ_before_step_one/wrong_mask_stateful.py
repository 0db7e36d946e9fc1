"""What comes, comes."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG stateful"}


def my_mask(seed, step, places, worker, workers, units):
    numbers = tf.random.uniform([len(places), units])
    return tf.cast(numbers < KEEP, tf.float32)
