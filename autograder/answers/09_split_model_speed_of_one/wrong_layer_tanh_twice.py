"""tanh of the outputs."""

import tensorflow as tf

EXPECT = {"09/my_layer": "WRONG tanh_twice"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                inner = upstream * (1 - tf.tanh(outputs) ** 2)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    return layer(h, w)
