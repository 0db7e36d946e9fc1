"""No strategy.run at all: the loop stands in the scope."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG no_run"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in batches:
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w
