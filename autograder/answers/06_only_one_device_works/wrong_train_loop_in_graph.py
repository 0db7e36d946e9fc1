"""The loop over the batches inside tf.function."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "CRASHED"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    @tf.function
    def loop(data):
        for x, y in data:
            strategy.run(replica_step, args=(x, y))

    loop(strategy.experimental_distribute_dataset(batches))
    return w
