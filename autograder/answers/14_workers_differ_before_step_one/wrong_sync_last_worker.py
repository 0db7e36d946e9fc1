"""The last worker's values."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG last_worker"}


def my_sync(strategy, variables):
    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in variables:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[-1])
