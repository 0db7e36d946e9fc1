"""The shipped code in other words."""

import tensorflow as tf

EXPECT = {"09/my_layer": "WRONG backward_elsewhere"}


def my_layer(h, w, device):
    with tf.device(device):
        product = tf.matmul(h, w)
        return tf.math.tanh(product)
