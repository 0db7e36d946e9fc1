"""A seed that is folded twice."""

import tensorflow as tf

EXPECT = {"04/my_mask": "RIGHT"}
KEEP = 0.75


def my_mask(step, ids, units):
    def for_row(row):
        seed = tf.random.fold_in(tf.random.fold_in([3, 4], step), row)
        return tf.random.stateless_uniform([units], seed=seed)

    numbers = tf.map_fn(for_row, ids, fn_output_signature=tf.float32)
    return tf.where(numbers < KEEP, 1, 0)
