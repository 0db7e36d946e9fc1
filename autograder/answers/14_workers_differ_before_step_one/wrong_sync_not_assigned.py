"""New variables have the chief's values, and are dropped."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG own_values_kept"}


def my_sync(strategy, variables):
    with strategy.scope():
        return [tf.Variable(variable.numpy()) for variable in variables]
