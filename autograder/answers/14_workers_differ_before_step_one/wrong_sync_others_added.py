"""The mask is the wrong way round."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG others_added"}


def my_sync(strategy, variables):
    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", value)

    worker = strategy.cluster_resolver.task_id
    for variable in variables:
        value = variable.read_value() * (0 if worker == 0 else 1)
        variable.assign(strategy.run(join, (value,)))
