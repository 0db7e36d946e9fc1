"""Count the rows whose activations are alive: what a gradient tape still holds.

The activations of a call are the hidden layer's output. Without a tape they are freed
when the call returns; a tape holds that tensor for as long as it may need it.
"""

from __future__ import annotations

import weakref

import numpy as np
import tensorflow as tf

from course.runs.workloads import Rows


class CountedNetwork:
    """A network of two layers, its rows, and counts of what was done with them.

    weights: two variables, (2, 3) and (3,).
    x, y: the rows as tensors, (rows, 2) and (rows,).
    calls: how often `row_losses` was called.
    largest: rows of the largest call.
    alive: rows whose activations are alive now.
    peak: the largest number of rows alive at the same time.
    seen: for each row, how often it was in a call.
    """

    def __init__(self, rows: Rows, w: np.ndarray, v: np.ndarray) -> None:
        self.weights = [tf.Variable(w, dtype=tf.float32)]
        self.weights.append(tf.Variable(v, dtype=tf.float32))
        self.x, self.y = tf.constant(rows.x), tf.constant(rows.y)
        self.calls = self.largest = self.peak = self.alive = 0
        self.seen = [0] * len(rows)
        self._numbers = {x.tobytes(): i for i, x in enumerate(rows.x)}

    def row_losses(self, x: object, y: object) -> tf.Tensor:
        """Return one squared error for each row.

        Raises:
            TypeError: x or y has no values (inside a graph).
            ValueError: x is not (rows, 2), or y not (rows,).
        """
        x, y = _with_values(x, "x"), _with_values(y, "y")
        if x.shape.rank != 2 or x.shape[1] != 2 or y.shape != x.shape[:1]:
            raise ValueError(
                "row_losses(x, y) needs x of shape (rows, 2) and y of shape (rows,), "
                f"not {tuple(x.shape)} and {tuple(y.shape)}"
            )
        self.calls += 1
        self.largest = max(self.largest, len(x))
        for row in x.numpy():
            number = self._numbers.get(row.tobytes())
            if number is not None:  # a row of padding has none
                self.seen[number] += 1
        hidden = tf.tanh(tf.matmul(x, self.weights[0]))
        self.alive += len(x)
        self.peak = max(self.peak, self.alive)
        weakref.finalize(hidden, self._freed, len(x))
        return (tf.linalg.matvec(hidden, self.weights[1]) - y) ** 2

    def _freed(self, rows: int) -> None:
        self.alive -= rows


def _with_values(value: object, name: str) -> tf.Tensor:
    tensor = tf.convert_to_tensor(value, dtype=tf.float32)
    if not hasattr(tensor, "numpy"):
        raise TypeError(
            f"row_losses was called inside a graph, where {name} has no values, so its "
            "rows can't be counted. Call it outside of the graph."
        )
    return tensor
