"""The shipped code, reformatted."""

import tensorflow as tf

EXPECT = {"08/my_log": "NOT ATTEMPTED"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(
        call,
        [value],
        value.dtype,
    )
    written.set_shape(value.shape)
    return written
