"""Stateful, beside the value."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG beside_the_work"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype)
    return value
