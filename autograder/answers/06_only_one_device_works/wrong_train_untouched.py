"""The shipped code, with a comment."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "NOT ATTEMPTED"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    # each replica
    def replica_step(x, y):
        with tf.device("CPU:0"):  # the batches come from there
            gradient = gradient_of(w, x, y)
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in batches:
        step(x, y)
    return w
