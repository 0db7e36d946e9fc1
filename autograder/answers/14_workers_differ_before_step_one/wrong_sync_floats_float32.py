"""All but whole numbers go through float32."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG floats_through_float32"}


def my_sync(strategy, variables):
    for variable in variables:
        kind = variable.dtype if variable.dtype.is_integer else tf.float32
        with strategy.scope():
            chiefs = tf.Variable(tf.cast(variable, kind))
        variable.assign(tf.cast(chiefs, variable.dtype))
