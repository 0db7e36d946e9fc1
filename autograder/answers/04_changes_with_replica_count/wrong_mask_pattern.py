"""No random numbers: every fourth unit is dropped."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG fixed_pattern"}
KEEP = 0.75


def my_mask(step, ids, units):
    place = 7 * step + 3 * ids[:, None] + tf.range(units)[None]
    return tf.cast(place % 4 != 0, tf.float32)
