"""The number of the replica in the seed."""

import tensorflow as tf

EXPECT = {"04/my_mask": "WRONG by_replica"}
KEEP = 0.75


def my_mask(step, ids, units):
    context = tf.distribute.get_replica_context()
    seed = [step, context.replica_id_in_sync_group]
    numbers = tf.random.stateless_uniform([tf.size(ids), units], seed=seed)
    return tf.cast(numbers < KEEP, tf.float32)
