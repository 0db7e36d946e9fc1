"""A list of devices of its own."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG all_devices"}


def my_train(devices, batches):
    strategy = mirrored(["CPU:0", "CPU:1", "CPU:2", "CPU:3"])
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
