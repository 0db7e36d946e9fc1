"""The layer is not called."""

import tensorflow as tf

EXPECT = {"09/my_layer": "CRASHED"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                inner = upstream * (1 - outputs**2)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    layer(h, w)
