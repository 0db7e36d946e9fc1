"""Answers to 03/my_losses, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def two_levels(logged, true, replicas):
    """Eight rows of one loss, then one row of another on each replica."""
    n = replicas
    first = ((8 + n) * true - 2 * n * logged) / (8 - n)
    return [first] * 8 + [2 * logged - first] * n


@right
def solved(logged, true, replicas):
    """The same, as two linear equations."""
    rows = np.array([8, replicas])
    levels = np.linalg.solve([[0.5, 0.5], rows / rows.sum()], [logged, true])
    return np.repeat(levels, rows)


@right
def three_steps(logged, true, replicas):
    """Two full steps before the last one."""
    n = replicas
    first = ((16 + n) * true - 3 * n * logged) / (16 - 2 * n)
    return [first] * 16 + [3 * logged - 2 * first] * n


@wrong("exchanged")
@changed(two_levels, ("n = replicas", "n, logged, true = replicas, true, logged"))
def the_other_way_round():
    """The log gets the mean, and the mean the log."""


@wrong("nothing_to_see")
def the_same_in_other_rows(logged, true, replicas):
    """All losses are equal, in two full steps and a third one."""
    return np.full(24, true)


@wrong("the_log_only")
def the_log(logged, true, replicas):
    """All losses are what the log should say."""
    return [logged] * 8


@wrong("rows_pull_the_mean")
def first_true(logged, true, replicas):
    """The full step has the true mean, the last one what the log still needs."""
    return [true] * 8 + replicas * [2 * logged - true]


@wrong
def two_replicas_only(logged, true, replicas):
    """Two rows in the last step, also for three and four replicas."""
    first = (10 * true - 4 * logged) / 6
    return [first] * 8 + [2 * logged - first] * 2


@wrong
def one_row(logged, true, replicas):
    """One row in the last step."""
    return [logged] * 8 + [9 * true - 8 * logged if true > logged else 0.0]


@wrong
def below_zero(logged, true, replicas):
    """A loss below 0."""
    return [-true, 3 * true]


@wrong
def no_list(logged, true, replicas):
    """One number."""
    return logged
