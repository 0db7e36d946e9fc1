"""A Python loop over a tensor of unknown length."""

import tensorflow as tf

EXPECT = {"04/my_mask": "CRASHED"}
KEEP = 0.75


def my_mask(step, ids, units):
    masks = [tf.random.stateless_uniform([units], seed=[step, row]) for row in ids]
    return tf.cast(tf.stack(masks) < KEEP, tf.float32)
