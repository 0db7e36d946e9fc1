"""The gradient of tanh is missing."""

import tensorflow as tf

EXPECT = {"09/my_layer": "WRONG slope_forgotten"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                return upstream @ tf.transpose(w), tf.transpose(h) @ upstream

        return outputs, backward

    return layer(h, w)
