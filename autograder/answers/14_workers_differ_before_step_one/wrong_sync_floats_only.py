"""Only floating point numbers."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG whole_numbers_left_out"}


def my_sync(strategy, variables):
    def gather(value):
        context = tf.distribute.get_replica_context()
        return context.all_gather(value[None], axis=0)

    for variable in [v for v in variables if v.dtype.is_floating]:
        values = strategy.run(gather, (variable.read_value(),))
        variable.assign(values[0])
