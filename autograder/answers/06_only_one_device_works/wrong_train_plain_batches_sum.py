"""Plain batches to run, and SUM."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG whole_batch_summed"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("SUM", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w
