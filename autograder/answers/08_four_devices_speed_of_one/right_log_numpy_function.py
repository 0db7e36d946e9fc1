"""Stateless, and the value goes through it."""

import tensorflow as tf

EXPECT = {"08/my_log": "RIGHT"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)
