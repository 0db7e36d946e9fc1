"""All values go through float64."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG through_float64"}


def my_sync(strategy, variables):
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(tf.cast(variable, tf.float64))
        variable.assign(tf.cast(chiefs, variable.dtype))
