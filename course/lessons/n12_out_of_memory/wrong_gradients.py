"""Wrong answers to 12/my_gradients: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import pairwise

import numpy as np
import tensorflow as tf

from course.checks.exercises import wrong_answers
from course.runs.workloads import LEARNING_RATE


class _Step:
    """One call of an answer: what it is given, cut into its micro-batches."""

    def __init__(self, weights, x, y, row_losses, most) -> None:
        self.weights, self.rows, self.most = weights, len(x), most
        self.parts = [slice(i, i + most) for i in range(0, len(x), most)]
        self._losses = lambda part: row_losses(x[part], y[part])

    def gradient(self, *parts: slice, of: Callable = tf.reduce_sum) -> np.ndarray:
        """Return the gradient of the added losses of some parts, under one tape."""
        with tf.GradientTape() as tape:
            loss = sum(of(self._losses(part)) for part in parts)
        return np.concatenate([np.ravel(g) for g in tape.gradient(loss, self.weights)])

    def sums(self) -> list[np.ndarray]:
        """Return the gradient of the summed losses of each part."""
        return [self.gradient(part) for part in self.parts]

    def means(self) -> list[np.ndarray]:
        """Return the gradient of the mean loss of each part."""
        return [self.gradient(part, of=tf.reduce_mean) for part in self.parts]


def _shaped(flat: np.ndarray) -> list[np.ndarray]:
    """Return nine numbers as the gradients of both weights."""
    return [flat[:6].reshape(2, 3), flat[6:]]


def _answer(wrong: Callable[[_Step], np.ndarray]) -> Callable:
    """Return the answer that gives, of each step, what `wrong` computes."""

    @wraps(wrong)
    def gradients(weights, x, y, row_losses, most):
        return _shaped(wrong(_Step(weights, x, y, row_losses, most)))

    return gradients


@_answer
def all_at_once(step: _Step) -> np.ndarray:
    """All rows go through the network in one call, so that all their activations are
    alive until the backward pass.
    """
    return step.gradient(slice(None), of=tf.reduce_mean)


@_answer
def held_together(step: _Step) -> np.ndarray:
    """The rows are cut, but nothing is freed in between: one tape, or one list of
    tapes, holds the activations of all micro-batches. Open a tape for each, and take
    its gradient before the next one.
    """
    return step.gradient(*step.parts) / step.rows


@_answer
def parts_rounded_down(step: _Step) -> np.ndarray:
    """The number of micro-batches is rounded down, so some have more rows than `most`.
    Round it up: a smaller one is no fault.
    """
    count = max(1, step.rows // step.most)
    ends = [step.rows * part // count for part in range(count + 1)]
    parts = [slice(*pair) for pair in pairwise(ends)]
    return sum(step.gradient(part) for part in parts) / step.rows


@_answer
def one_row_more(step: _Step) -> np.ndarray:
    """Each micro-batch has one row more than `most`. x[a:b] ends before row b."""
    size = step.most + 1
    parts = [slice(i, i + size) for i in range(0, step.rows, size)]
    return sum(step.gradient(part) for part in parts) / step.rows


@_answer
def one_row_twice(step: _Step) -> np.ndarray:
    """Each micro-batch also takes the first row of the next one. x[a:b] ends before
    row b.
    """
    parts = [slice(part.start, part.stop + 1) for part in step.parts]
    return sum(step.gradient(part) for part in parts) / step.rows


@_answer
def mean_of_means(step: _Step) -> np.ndarray:
    """Each micro-batch counts the same, although the last one has fewer rows. Each ROW
    must count the same.
    """
    return np.mean(step.means(), axis=0)


@_answer
def mean_of_means_held(step: _Step) -> np.ndarray:
    """Two things: each micro-batch counts the same, although the last one has fewer
    rows; and one tape holds the activations of all of them.
    """
    return step.gradient(*step.parts, of=tf.reduce_mean) / len(step.parts)


@_answer
def sum_of_means_held(step: _Step) -> np.ndarray:
    """Two things: the means are added up and not weighted by their rows; and one tape
    holds the activations of all micro-batches.
    """
    return step.gradient(*step.parts, of=tf.reduce_mean)


@_answer
def sum_of_means(step: _Step) -> np.ndarray:
    """The mean gradients are added up and not weighted: the result is about as many
    times too large as there are micro-batches.
    """
    return sum(step.means())


@_answer
def not_divided(step: _Step) -> np.ndarray:
    """The sums over the rows are added up, but never divided by the number of all
    rows.
    """
    return sum(step.sums())


@_answer
def divided_by_parts(step: _Step) -> np.ndarray:
    """The sum over the rows is divided by the number of micro-batches. Divide by the
    number of rows.
    """
    return sum(step.sums()) / len(step.parts)


@_answer
def divided_by_most(step: _Step) -> np.ndarray:
    """The sum over the rows is divided by the size of one micro-batch. Divide by the
    number of all rows.
    """
    return sum(step.sums()) / step.most


@_answer
def divided_by_full_parts(step: _Step) -> np.ndarray:
    """The sum is divided as if the last micro-batch were full. It has fewer rows."""
    return sum(step.sums()) / (step.most * len(step.parts))


@_answer
def divided_twice(step: _Step) -> np.ndarray:
    """The rows have the right weights, and then everything is divided by the number of
    micro-batches once more.
    """
    return sum(step.sums()) / step.rows / len(step.parts)


@_answer
def last_only(step: _Step) -> np.ndarray:
    """What comes back is the gradient of the last micro-batch: each one replaces the
    one before instead of adding to it.
    """
    return step.means()[-1]


@_answer
def last_share_only(step: _Step) -> np.ndarray:
    """What comes back is the share of the last micro-batch: each one replaces the one
    before instead of adding to it.
    """
    return step.sums()[-1] / step.rows


@_answer
def nothing_added(step: _Step) -> np.ndarray:
    """All gradients are zero: nothing was added to the list. In a loop over it, t += g
    gives the name t a new value, and the list stays as it is.
    """
    return 0 * sum(step.sums())


@_answer
def first_share_only(step: _Step) -> np.ndarray:
    """Only the first rows are used: a return in the loop ends it."""
    return step.gradient(step.parts[0]) / step.rows


@_answer
def first_only(step: _Step) -> np.ndarray:
    """Only the first rows are used: it fits, but it is the gradient of a smaller
    batch.
    """
    return step.gradient(step.parts[0], of=tf.reduce_mean)


@_answer
def tail_dropped(step: _Step) -> np.ndarray:
    """Only full micro-batches are used, and the rows after them are lost."""
    full = step.parts[: step.rows // step.most]
    return sum(step.gradient(part) for part in full) / (step.most * len(full))


@_answer
def tail_dropped_and_counted(step: _Step) -> np.ndarray:
    """Only full micro-batches are used, but the sum is divided by the number of all
    rows.
    """
    full = step.parts[: step.rows // step.most]
    return sum(step.gradient(part) for part in full) / step.rows


@_answer
def neighbouring_windows(step: _Step) -> np.ndarray:
    """The micro-batches overlap: each starts one row after the one before. Number i
    starts at row i * most.
    """
    starts = range(len(step.parts))
    sums = [step.gradient(slice(i, i + step.most)) for i in starts]
    return sum(sums) / step.rows


@_answer
def one_row_at_a_time(step: _Step) -> np.ndarray:
    """Every row has a call of its own. It fits, but a device works on one row at a
    time: use as many as may be alive.
    """
    return sum(step.gradient(slice(i, i + 1)) for i in range(step.rows)) / step.rows


@_answer
def number_and_size_swapped(step: _Step) -> np.ndarray:
    """`most` is used as the NUMBER of micro-batches. It is the number of rows in one of
    them.
    """
    parts = np.array_split(np.arange(step.rows), step.most)
    sums = [step.gradient(slice(ids[0], ids[-1] + 1)) for ids in parts]
    return sum(sums) / step.rows


@_answer
def computed_twice(step: _Step) -> np.ndarray:
    """Each micro-batch goes through the network twice. Keep what the first call
    gave.
    """
    return (sum(step.sums()) + sum(step.sums())) / (2 * step.rows)


@_answer
def weights_move(step: _Step) -> np.ndarray:
    """The weights are updated after each micro-batch, so the next one sees other
    weights. That is several small steps, not one large one.
    """
    total = np.zeros(9)
    for part in step.parts:
        share = step.gradient(part) / step.rows
        for weight, gradient in zip(step.weights, _shaped(share), strict=True):
            weight.assign_sub(LEARNING_RATE * gradient)
        total += share
    return total


MISTAKES = wrong_answers(__name__)
