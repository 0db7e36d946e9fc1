"""tf.function inside run, not around it."""

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
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    inner = tf.function(replica_step)
    for x, y in strategy.experimental_distribute_dataset(batches):
        strategy.run(inner, args=(x, y))
    return w
