"""TensorFlow adds up; the answer is made of tensors."""

import tensorflow as tf

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    in_use = tf.cumsum(tf.constant([change for _, change in events]))
    over = tf.where(in_use > limit)
    if len(over) == 0:
        return None
    return over[0, 0], in_use[over[0, 0]] - limit
