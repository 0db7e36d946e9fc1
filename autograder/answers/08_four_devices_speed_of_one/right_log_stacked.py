"""The written value is picked out of a pair."""

import tensorflow as tf

EXPECT = {"08/my_log": "RIGHT"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    return tf.stack([value, tf.ensure_shape(written, value.shape)])[1]
