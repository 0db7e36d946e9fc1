"""The mask is right, and MEAN divides."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG mean_of_masked"}


def my_sync(strategy, variables):
    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("MEAN", value)

    worker = strategy.cluster_resolver.task_id
    for variable in variables:
        value = variable.read_value() * (1 if worker == 0 else 0)
        joined = strategy.run(join, (value,))
        variable.assign(tf.cast(joined, variable.dtype))
