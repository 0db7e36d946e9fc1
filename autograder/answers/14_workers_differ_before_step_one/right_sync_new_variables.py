"""All new variables first, as one makes a model."""

import tensorflow as tf

EXPECT = {"14/my_sync": "RIGHT"}


def my_sync(strategy, variables):
    with strategy.scope():
        new = [
            tf.Variable(lambda v=v: v.read_value(), dtype=v.dtype) for v in variables
        ]
    for old, value in zip(variables, new, strict=False):
        old.assign(value)
