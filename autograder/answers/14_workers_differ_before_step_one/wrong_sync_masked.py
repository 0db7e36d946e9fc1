"""Masked, and not added up."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG masked_not_reduced"}


def my_sync(strategy, variables):
    if strategy.cluster_resolver.task_id != 0:
        for variable in variables:
            variable.assign(tf.zeros_like(variable))
