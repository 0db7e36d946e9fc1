"""Return the loss instead of w."""

import tensorflow as tf

EXPECT = {"06/my_train": "CRASHED"}


def my_train(devices, batches):
    for _, y in batches:
        loss = tf.reduce_mean(y)
    return float(loss)
