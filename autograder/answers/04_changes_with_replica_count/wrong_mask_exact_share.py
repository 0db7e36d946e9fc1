"""Exactly three quarters of every row are kept."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG fixed_count"}
KEEP = 0.75


def my_mask(step, ids, units):
    def for_row(row):
        numbers = tf.random.stateless_uniform([units], seed=[step, row])
        places = tf.argsort(tf.argsort(numbers))
        return tf.cast(places < int(KEEP * units), tf.float32)

    return tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
