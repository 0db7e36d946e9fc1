"""The device is an argument of the wrapped function."""

import tensorflow as tf

EXPECT = {"09/my_layer": "CRASHED"}


@tf.custom_gradient
def my_layer(h, w, device):
    with tf.device(device):
        outputs = tf.tanh(h @ w)

    def backward(upstream):
        inner = upstream * (1 - outputs**2)
        return inner @ tf.transpose(w), tf.transpose(h) @ inner, None

    return outputs, backward
