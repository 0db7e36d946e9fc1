"""Gradient descent with gradients that are some steps old, as asynchronous workers."""

from __future__ import annotations

import numpy as np
import tensorflow as tf


def stability_limit(delay: int) -> float:
    """Return the rate below which descent on w**2 / 2 is stable.

    It holds for gradients taken at the weight of `delay` steps ago. With another
    curvature, divide by it.
    """
    return 2 * float(np.sin(np.pi / (2 * (2 * delay + 1))))


def descend_late(rate: float, delay: int, steps: int = 300) -> np.ndarray:
    """Minimise w**2 / 2 from w = 1 with gradients that are `delay` steps old.

    There are no threads, and nothing is lost: each gradient is applied once.

    Args:
        rate: learning rate.
        delay: how many steps old the weight is, at which a gradient is taken. In the
            first steps, that is the start.
        steps: number of steps.

    Returns:
        |w| after each step, float64 of shape (steps + 1,), the start first.
    """
    w = tf.Variable(1.0)
    seen = [w.numpy()]

    @tf.function
    def step(old: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            tape.watch(old)
            loss = old**2 / 2
        w.assign_sub(rate * tape.gradient(loss, old))

    for number in range(steps):
        step(tf.constant(seen[max(0, number - delay)]))
        seen.append(w.numpy())
    return np.abs(np.array(seen, np.float64))
