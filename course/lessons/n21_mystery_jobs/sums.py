"""What a replica's step begins with: the sums over its rows."""

from __future__ import annotations

import tensorflow as tf


def sums(w: tf.Variable, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the gradient of the sum of squared errors, and the number of rows.

    w: float32, (2,); x: float32, (rows, 2); y: float32, (rows,). The gradient has the
    shape (2,), the number is a float32 scalar.
    """
    error = tf.linalg.matvec(x, w) - y
    total = 2 * tf.linalg.matvec(x, error, transpose_a=True)
    return total, tf.cast(tf.size(y), tf.float32)
