"""The shipped code, with a comment."""

import tensorflow as tf

EXPECT = {"09/my_layer": "NOT ATTEMPTED"}


def my_layer(h, w, device):
    # here
    with tf.device(device):
        return tf.tanh(h @ w)
