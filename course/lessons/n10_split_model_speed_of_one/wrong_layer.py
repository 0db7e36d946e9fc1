"""Wrong answers to 10/my_layer: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from course.checks.exercises import wrong_answers


def _slope(upstream, outputs):
    return upstream * (1 - outputs**2)


def _by_hand(
    h: tf.Tensor,
    w: tf.Tensor,
    forward: str | None,
    backward: str | None,
    slope: Callable[[tf.Tensor, tf.Tensor], tf.Tensor] = _slope,
) -> tf.Tensor:
    """Return tanh(h @ w), each direction under a device, or under none.

    slope: the gradient for h @ w, from that for the outputs, and these.
    """

    @tf.custom_gradient
    def layer(h, w):
        with tf.device(forward):
            outputs = tf.tanh(h @ w)

        def gradients(upstream):
            with tf.device(backward):
                inner = slope(upstream, outputs)
                return inner @ tf.transpose(w), tf.transpose(h) @ inner

        return outputs, gradients

    return layer(h, w)


def backward_elsewhere(h, w, device):
    """The backward pass does not ask for the device. A tf.device around the forward
    pass does not count for it: it needs its own, inside the function that computes the
    gradient.
    """
    with tf.device(device):
        return tf.tanh(h @ w)


def backward_partly_elsewhere(h, w, device):
    """A part of the backward pass asks for the device, and a part does not. ALL lines
    that compute there belong under tf.device, also the product with the gradient from
    above.
    """

    def outside(upstream, outputs):
        with tf.device(None):
            return _slope(upstream, outputs)

    return _by_hand(h, w, device, device, outside)


def forward_elsewhere(h, w, device):
    """The backward pass is right, but now the forward pass does not ask for the
    device.
    """
    return _by_hand(h, w, None, device)


def both_elsewhere(h, w, device):
    """Neither direction asks for the device."""
    return tf.tanh(h @ w)


def slope_forgotten(h, w, device):
    """The gradient of tanh itself is missing: it is 1 - tanh(...)**2."""
    return _by_hand(h, w, device, device, lambda upstream, outputs: upstream)


def tanh_twice(h, w, device):
    """Tanh is taken of the outputs, which are tanh(z) already: 1 - outputs**2."""

    def slope(upstream, outputs):
        return _slope(upstream, tf.tanh(outputs))

    return _by_hand(h, w, device, device, slope)


def upstream_forgotten(h, w, device):
    """The gradient that comes from the later layers is not used: multiply with it."""
    return _by_hand(h, w, device, device, lambda upstream, outputs: 1 - outputs**2)


MISTAKES = wrong_answers(__name__)
