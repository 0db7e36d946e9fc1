"""One mask for the whole step."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG one_mask_for_all_rows"}


def my_mask(seed, step, places, worker, workers, units):
    one = tf.random.stateless_uniform([1, units], [seed, step])
    numbers = tf.repeat(one, len(places), axis=0)
    return tf.cast(numbers < KEEP, tf.float32)
