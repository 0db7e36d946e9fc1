"""Workers that agree on the sum."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG sum"}


def my_sync(strategy, variables):
    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", value)

    for variable in variables:
        value = variable.read_value()
        variable.assign(strategy.run(join, (value,)))
