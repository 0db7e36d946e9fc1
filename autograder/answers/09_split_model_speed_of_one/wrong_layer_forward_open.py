"""Only the backward pass is under the device."""

import tensorflow as tf

EXPECT = {"09/my_layer": "WRONG forward_elsewhere"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                inner = upstream * (1 - outputs**2)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    return layer(h, w)
