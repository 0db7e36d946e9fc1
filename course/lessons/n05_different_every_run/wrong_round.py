"""Wrong answers to 05/my_round: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers
from course.runs.workloads import LEARNING_RATE


def _by_rows(w, shards, gradient) -> np.ndarray:
    """Return the mean of the workers' gradients, each weighted by its rows."""
    gradients = [gradient(w, shard) for shard in shards]
    return np.average(gradients, axis=0, weights=[len(shard) for shard in shards])


def in_turn(w, shards, gradient):
    """Each gradient is applied before the next one is taken, so the workers compute
    at different weights. Nothing is lost, but the sequential step takes all rows at
    the SAME weights.
    """
    for shard in shards:
        w -= LEARNING_RATE * gradient(w, shard)
    return w


def in_turn_mean(w, shards, gradient):
    """The steps are divided by the number of workers, but each gradient is still
    taken after the ones before it were applied.
    """
    for shard in shards:
        w = w - LEARNING_RATE / len(shards) * gradient(w, shard)
    return w


def in_turn_by_rows(w, shards, gradient):
    """The shares are right, but each gradient is still taken after the ones before
    it were applied. Take all of them at the same weights.
    """
    rows = sum(map(len, shards))
    for shard in shards:
        w = w - LEARNING_RATE * len(shard) / rows * gradient(w, shard)
    return w


def summed(w, shards, gradient):
    """The gradients are added up. Each is the mean over a worker's own rows, so their
    sum makes the step too large. Take their mean, weighted by rows.
    """
    return w - LEARNING_RATE * sum(gradient(w, shard) for shard in shards)


def mean_of_means(w, shards, gradient):
    """All workers count the same, whatever their number of rows. Weight each mean
    gradient (or each worker's new weights) by its number of rows.
    """
    return w - LEARNING_RATE * np.mean([gradient(w, s) for s in shards], axis=0)


def not_divided(w, shards, gradient):
    """The gradients are multiplied by their rows, but the sum is not divided by the
    number of rows of all workers.
    """
    return w - LEARNING_RATE * sum(len(s) * gradient(w, s) for s in shards)


def divided_by_workers(w, shards, gradient):
    """The gradients are multiplied by their rows, but the sum is divided by the
    number of workers. Divide by the number of rows of all workers.
    """
    total = sum(len(s) * gradient(w, s) for s in shards)
    return w - LEARNING_RATE * total / len(shards)


def last_worker(w, shards, gradient):
    """Only the last worker's gradient is applied: the others are computed and
    overwritten, like a lost update.
    """
    for shard in shards:
        new = w - LEARNING_RATE * gradient(w, shard)
    return new


def uphill(w, shards, gradient):
    """The step goes up the gradient. Gradient descent subtracts it."""
    return w + LEARNING_RATE * _by_rows(w, shards, gradient)


def no_step(w, shards, gradient):
    """The gradients are computed, but the function returns the old weights."""
    _by_rows(w, shards, gradient)
    return w


def rate_forgotten(w, shards, gradient):
    """The whole gradient is subtracted, without LEARNING_RATE."""
    return w - _by_rows(w, shards, gradient)


def gradient_only(w, shards, gradient):
    """The function returns the mean gradient itself. Return the new weights: the old
    ones minus LEARNING_RATE times that gradient.
    """
    return _by_rows(w, shards, gradient)


def gradients_taken_twice(w, shards, gradient):
    """Each worker computes its gradient twice in a step. Keep the first."""
    both = _by_rows(w, shards, gradient) + _by_rows(w, shards, gradient)
    return w - LEARNING_RATE * both / 2


MISTAKES = wrong_answers(__name__)
