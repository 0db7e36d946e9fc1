"""tf.gradients in the backward pass."""

import tensorflow as tf

EXPECT = {"09/my_layer": "RIGHT"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                again = tf.tanh(h @ w)
                return tf.gradients(again, [h, w], grad_ys=upstream)

        return outputs, backward

    return layer(h, w)
