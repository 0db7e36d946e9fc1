"""Answers to 10/my_layer, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def by_hand(h, w, device):
    """The gradients by hand."""

    @tf.custom_gradient
    def layer(h, w):
        with tf.device(device):
            outputs = tf.tanh(h @ w)

        def backward(upstream):
            with tf.device(device):
                inner = upstream * (1 - outputs**2)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    return layer(h, w)


@right
def gradients(h, w, device):
    """tf.gradients in the backward pass."""

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


@right
def inner_tape(h, w, device):
    """A tape of its own, whose gradient is taken under the device."""

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


@right
def recomputed(h, w, device):
    """The outputs are computed again in the backward pass."""

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


@wrong("backward_elsewhere")
@changed(
    by_hand,
    (
        "def backward(upstream):\n    with tf.device(device):",
        'def backward(upstream):\n    with tf.name_scope("backward"):',
    ),
)
def backward_open():
    """A custom gradient without a device of its own."""


@wrong("backward_elsewhere")
def call_in_device(h, w, device):
    """The whole call is under the device, the backward pass is not."""

    @tf.custom_gradient
    def layer(h, w):
        outputs = tf.tanh(h @ w)

        def backward(upstream):
            inner = upstream * (1 - outputs**2)
            return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, backward

    with tf.device(device):
        return layer(h, w)


@crashed
@tf.custom_gradient
def device_argument(h, w, device):
    """The device is an argument of the wrapped function."""
    with tf.device(device):
        outputs = tf.tanh(h @ w)

    def backward(upstream):
        inner = upstream * (1 - outputs**2)
        return inner @ tf.transpose(w), tf.transpose(h) @ inner, None

    return outputs, backward


@wrong("backward_partly_elsewhere")
@changed(
    by_hand,
    (
        "return inner @ tf.transpose(w), tf.transpose(h) @ inner",
        """
        first = inner @ tf.transpose(w)
        with tf.device(None):
            return first, tf.transpose(h) @ inner
        """,
    ),
)
def half():
    """Only one of the two gradients is under the device."""


@wrong
@changed(by_hand, ("return layer(h, w)", "layer(h, w)"))
def nothing():
    """The layer is not called."""


@crashed
def numpy(h, w, device):
    """The numbers are taken out of TensorFlow."""
    with tf.device(device):
        return tf.constant(np.tanh(h.numpy() @ w.numpy()))


@crashed
@changed(by_hand, (", tf.transpose(h) @ inner", ""))
def one_gradient():
    """The gradient for w is forgotten."""


@crashed
def stopped(h, w, device):
    """No gradient passes."""
    with tf.device(device):
        return tf.tanh(tf.stop_gradient(h) @ tf.stop_gradient(w))


@crashed
@changed(
    by_hand,
    (
        "inner @ tf.transpose(w), tf.transpose(h) @ inner",
        "tf.transpose(h) @ inner, inner @ tf.transpose(w)",
    ),
)
def swapped():
    """The two gradients are swapped."""
