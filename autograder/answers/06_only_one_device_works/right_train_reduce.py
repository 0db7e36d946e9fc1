"""The replicas return gradients; the mean is applied in the scope."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    for x, y in strategy.experimental_distribute_dataset(batches):
        each = strategy.run(gradient_of, args=(w, x, y))
        mean = strategy.reduce("MEAN", each, axis=None)
        with strategy.scope():
            w.assign_sub(LEARNING_RATE * mean)
    return w
