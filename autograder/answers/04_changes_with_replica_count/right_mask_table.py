"""A table for all rows of the step; take the own ones."""

import tensorflow as tf

EXPECT = {"04/my_mask": "RIGHT"}
KEEP = 0.75


def my_mask(step, ids, units):
    table = tf.random.stateless_uniform([1000, units], seed=[0, step])
    return tf.gather(table, ids) < KEEP
