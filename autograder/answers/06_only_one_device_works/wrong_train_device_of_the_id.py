"""devices[r] with a tensor r."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "CRASHED"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        me = tf.distribute.get_replica_context().replica_id_in_sync_group
        with tf.device(devices[me]):
            gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
