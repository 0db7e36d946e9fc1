"""Stateless, and nobody uses the result."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG never_runs"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype, stateful=False)
    return value
