"""Only replica 0 writes."""

import tensorflow as tf

EXPECT = {"08/my_log": "WRONG replica_0_only"}


def my_log(place, value, write):
    def call(number):
        write(place, number)
        return number

    context = tf.distribute.get_replica_context()
    if tf.get_static_value(context.replica_id_in_sync_group) != 0:
        return value
    return tf.numpy_function(call, [value], value.dtype, stateful=False)
