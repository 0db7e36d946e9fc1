"""Wrong answers to 15/my_unseen: each is the mistake of its name."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers


def other_end(
    w: np.ndarray, x: np.ndarray, y: np.ndarray, way: np.ndarray, share: float = 2.0
) -> np.ndarray:
    """Return the weights `share` times as far as the smallest loss in a direction."""
    to_smallest = -((x @ w - y) @ (x @ way)) / np.sum((x @ way) ** 2)
    return w + share * to_smallest * way


def _way(w: np.ndarray, *changes: float) -> np.ndarray:
    return np.array([*changes, *np.zeros(len(w) - len(changes))])


def two_exchanged(w, x, y) -> np.ndarray:
    """The loss tells. Two weights that change places keep their sum, but not the
    predictions, and so it is if one goes the wrong way.
    """
    other = w.copy()
    other[1], other[2] = w[2], w[1]
    return other


def first_changed(w, x, y) -> np.ndarray:
    """The direction has a part in the first weight."""
    return other_end(w, x, y, _way(w, 1.0, -1.0))


def sum_changed(w, x, y) -> np.ndarray:
    """Only one weight is changed, or several whose changes do not add up to 0."""
    return other_end(w, x, y, _way(w, 0.0, 1.0))


def first_and_sum_changed(w, x, y) -> np.ndarray:
    """The loss alone is kept: the direction changes the first weight and the sum."""
    return other_end(w, x, y, _way(w, 1.0, 1.0))


def at_the_smallest(w, x, y) -> np.ndarray:
    """It goes to the smallest loss in its direction. Beyond that, the loss is the
    chief's once more.
    """
    return other_end(w, x, y, _way(w, 0.0, 1.0, -1.0), share=1.0)


def same_weights(w, x, y) -> np.ndarray:
    """Nothing is changed, as where one asks for equal predictions of more rows than
    there are weights: only the chief's have them.
    """
    return w


def too_near(w, x, y) -> np.ndarray:
    """The change is so small that no look sees it, and it matters to nobody."""
    return w + 1e-9 * _way(w, 0.0, 1.0, -1.0)


def no_weights(w, x, y) -> np.ndarray:
    """A change, a part of the weights, or no numbers (NaN) are returned. Asked for are
    all weights.
    """
    return w[1:]


MISTAKES = wrong_answers(__name__, other_end)
