"""map_fn without a seed: replicas start alike."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG operation_seed"}
KEEP = 0.75


def my_mask(step, ids, units):
    numbers = tf.map_fn(
        lambda row: tf.random.uniform([units]), ids, fn_output_signature=tf.float32
    )
    return tf.cast(numbers < KEEP, tf.float32)
