"""The older name."""

import tensorflow as tf

EXPECT = {"08/my_log": "RIGHT"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    written = tf.compat.v1.py_func(call, [value], tf.float32, stateful=False)
    return tf.ensure_shape(written, value.shape)
