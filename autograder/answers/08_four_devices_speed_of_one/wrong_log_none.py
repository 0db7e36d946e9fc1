"""Nothing is returned."""

import tensorflow as tf

EXPECT = {"08/my_log": "CRASHED"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype, stateful=False)
