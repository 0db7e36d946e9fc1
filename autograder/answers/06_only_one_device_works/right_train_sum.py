"""SUM, divided by the number of replicas; the copies are returned."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("SUM", gradient)
        w.assign_sub(LEARNING_RATE * total / context.num_replicas_in_sync)

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return list(strategy.experimental_local_results(w))
