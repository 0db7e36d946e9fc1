"""A tape of its own, whose gradient is taken under the device."""

import tensorflow as tf

EXPECT = {"09/my_layer": "RIGHT"}


def my_layer(h, w, device):
    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device), tf.GradientTape() as tape:
            tape.watch([h, w])
            outputs = tf.tanh(tf.matmul(h, w))

        def backward(upstream):
            with tf.device(device):
                return tape.gradient(outputs, [h, w], output_gradients=upstream)

        return outputs, backward

    return layer(h, w)
