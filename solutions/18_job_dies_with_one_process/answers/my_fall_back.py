"""Answers to 18/my_fall_back, right and wrong, and what the check says of each."""

from itertools import pairwise

import numpy as np

from autograder.answers import crashed, right


@right
def fall_highest(log):
    """It remembers the highest step, and counts until a new one."""
    highest, found, again = -1, None, 0
    for _, step in log:
        if found is None and step <= highest:
            found = step
        if found is not None and step > highest:
            break
        again += found is not None
        highest = max(highest, step)
    return None if found is None else (found, highest - found + 1)


@right
def index(log):
    """By the place in the log."""
    for i in range(1, len(log)):
        if log[i][1] != log[i - 1][1] + 1:
            return log[i][1], log[i - 1][1] - log[i][1] + 1


@right
def numpy(log):
    """With NumPy."""
    steps = np.array([step for _, step in log])
    falls = np.flatnonzero(np.diff(steps) <= 0)
    if len(falls) == 0:
        return None
    last, step = steps[falls[0]], steps[falls[0] + 1]
    return [int(step), int(last - step) + 1]


@right
def fall_pairs(log):
    """Neighbours by pairwise."""
    for (_, last), (_, step) in pairwise(log):
        if step <= last:
            return step, last - step + 1
    return None


@crashed
def index_error(log):
    """One entry too far."""
    for i in range(len(log)):
        if log[i + 1][1] <= log[i][1]:
            return log[i + 1][1], log[i][1] - log[i + 1][1] + 1


@wrong
def seconds(log):
    """It returns a time."""
    for (_, last), (at, step) in zip(log, log[1:], strict=False):
        if step <= last:
            return at, last - step + 1


@wrong
def text(log):
    """It returns a sentence."""
    return "it fell back"
