"""One long row of numbers, read from neighbouring places: a pattern."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG moved_masks"}
KEEP = 0.75


def my_mask(step, ids, units):
    long = tf.random.stateless_uniform([1000 + units], seed=[step, 0])
    places = ids[:, None] + tf.range(units)[None]
    return tf.cast(tf.gather(long, places) < KEEP, tf.float32)
