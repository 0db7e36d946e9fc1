"""tf.py_function is stateful too."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG stateful"}


def my_log(place, value, write):
    def call(number):
        write(place, float(number))
        return number

    return tf.ensure_shape(tf.py_function(call, [value], value.dtype), value.shape)
