"""The own share in two halves: the same rows, once each."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def replica_step(x, y):
        half = x.shape[0] // 2
        first = gradient_of(w, x[:half], y[:half])
        gradient = (first + gradient_of(w, x[half:], y[half:])) / 2
        context = tf.distribute.get_replica_context()
        w.assign_sub(LEARNING_RATE * context.all_reduce("MEAN", gradient))

    step = tf.function(lambda x, y: strategy.run(replica_step, args=(x, y)))
    for x, y in strategy.experimental_distribute_dataset(batches):
        step(x, y)
    return w
