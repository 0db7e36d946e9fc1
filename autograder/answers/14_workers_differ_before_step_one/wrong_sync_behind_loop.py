"""The assign stands behind the loop."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG last_variable_only"}


def my_sync(strategy, variables):
    for variable in variables:
        with strategy.scope():
            chiefs = tf.Variable(variable.numpy())
    variable.assign(chiefs)
