"""The distributed batch goes to gradient_of, without run."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "CRASHED"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w
