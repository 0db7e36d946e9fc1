"""Workers that agree on the mean."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG mean"}


def my_sync(strategy, variables):
    def join(value):
        context = tf.distribute.get_replica_context()
        return context.all_reduce("MEAN", value)

    for variable in variables:
        value = variable.read_value()
        joined = strategy.run(join, (value,))
        variable.assign(tf.cast(joined, variable.dtype))
