"""A table for 1000 rows, drawn from seed and step; the rows are looked up."""

import tensorflow as tf

EXPECT = {"14/my_mask": "RIGHT"}


def my_mask(seed, step, places, worker, workers, units):
    table = tf.random.stateless_uniform([1000, units], seed=[seed, step])
    rows = places * workers + worker
    return tf.where(tf.gather(table, rows) < KEEP, 1.0, 0.0)
