"""One number that holds both: rows are below 1000."""

import tensorflow as tf

EXPECT = {"04/my_mask": "RIGHT"}
KEEP = 0.75


def my_mask(step, ids, units):
    def for_row(row):
        return tf.random.stateless_uniform([units], seed=[7, step * 1000 + row])

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.cast(numbers < KEEP, tf.float32)
