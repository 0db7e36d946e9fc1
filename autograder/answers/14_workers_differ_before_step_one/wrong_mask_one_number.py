"""One number for a row."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG one_number_for_a_row"}


def my_mask(seed, step, places, worker, workers, units):
    table = tf.random.stateless_uniform([1000, 1], seed=[seed, step])
    numbers = tf.gather(table, places * workers + worker)
    return tf.repeat(tf.cast(numbers < KEEP, tf.float32), units, axis=1)
