"""Written twice."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG twice"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        write(place, number)
        return number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)
