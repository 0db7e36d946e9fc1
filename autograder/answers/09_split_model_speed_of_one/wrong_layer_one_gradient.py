"""The gradient for w is forgotten."""

import tensorflow as tf

EXPECT = {"09/my_layer": "CRASHED"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                return upstream * (1 - outputs**2) @ tf.transpose(w)

        return outputs, backward

    return layer(h, w)
