"""Multiplied by 1 on the chief, by 0 elsewhere."""

import tensorflow as tf

EXPECT = {"14/my_sync": "RIGHT"}


def my_sync(strategy, variables):
    keep = 1 if strategy.cluster_resolver.task_id == 0 else 0
    for variable in variables:
        value = variable.read_value() * tf.cast(keep, variable.dtype)
        variable.assign(strategy.reduce("SUM", value, axis=None))
