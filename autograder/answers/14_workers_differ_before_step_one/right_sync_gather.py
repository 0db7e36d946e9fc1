"""All values are gathered, and the first kept."""

import tensorflow as tf

EXPECT = {"14/my_sync": "RIGHT"}


def my_sync(strategy, variables):
    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)[0]

    for variable in variables:
        variable.assign(strategy.run(gather, args=(tf.identity(variable),)))
