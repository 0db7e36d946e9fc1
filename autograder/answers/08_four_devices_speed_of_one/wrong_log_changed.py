"""The value is changed on the way."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number + number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)
