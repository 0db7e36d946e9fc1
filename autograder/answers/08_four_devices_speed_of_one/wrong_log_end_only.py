"""Only the end is written."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG end_only"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    if place == "begin":
        return value
    return tf.numpy_function(call, [value], value.dtype, stateful=False)
