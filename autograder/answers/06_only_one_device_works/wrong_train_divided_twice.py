"""MEAN, and divided again."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG divided_twice"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        mean = context.all_reduce("MEAN", gradient)
        w.assign_sub(LEARNING_RATE * mean / context.num_replicas_in_sync)

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
