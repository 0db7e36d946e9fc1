"""The shipped code, with a comment."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "NOT ATTEMPTED"}


def my_train(devices, batches):
    # the loop is in the scope
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in batches:
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w
