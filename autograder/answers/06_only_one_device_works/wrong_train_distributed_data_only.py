"""Distribute the dataset, take the shares together again, no run."""

import tensorflow as tf

from course import mirrored

EXPECT = {"06/my_train": "WRONG no_run"}


def my_train(devices, batches):
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        for x, y in strategy.experimental_distribute_dataset(batches):
            x = tf.concat(strategy.experimental_local_results(x), axis=0)
            y = tf.concat(strategy.experimental_local_results(y), axis=0)
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
    return w
