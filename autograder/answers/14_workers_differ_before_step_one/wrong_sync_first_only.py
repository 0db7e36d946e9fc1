"""Only the first variable."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG first_variable_only"}


def my_sync(strategy, variables):
    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in variables[:1]:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[0])
