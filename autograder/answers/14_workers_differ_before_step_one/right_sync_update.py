"""The others set zeros, and the sums are assigned."""

import tensorflow as tf

EXPECT = {"14/my_sync": "RIGHT"}


def my_sync(strategy, variables):
    if strategy.cluster_resolver.task_id:
        for variable in variables:
            variable.assign(tf.zeros_like(variable))

    def total():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", [v.read_value() for v in variables])

    for variable, value in zip(variables, strategy.run(total), strict=False):
        variable.assign(value)
