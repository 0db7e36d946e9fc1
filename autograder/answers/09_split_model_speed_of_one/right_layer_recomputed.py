"""The outputs are computed again in the backward pass."""

import tensorflow as tf

EXPECT = {"09/my_layer": "RIGHT"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                slope = 1 - tf.square(tf.tanh(tf.matmul(h, w)))
                inner = tf.multiply(upstream, slope)
                return [
                    tf.matmul(inner, w, transpose_b=True),
                    tf.matmul(h, inner, transpose_a=True),
                ]

        return outputs, backward

    return layer(h, w)
