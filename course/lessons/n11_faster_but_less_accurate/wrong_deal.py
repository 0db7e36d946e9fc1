"""Wrong answers to 11/my_deal: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np


def as_mixed_as_the_step(x, y, replicas):
    """The rows of a replica are about as different from each other as those of the
    whole step. So its mean and variance are about those of the step, and normalising
    by them does little harm.
    """
    return np.array_split(np.arange(len(x)), replicas)


def _dealt_out(x, y, replicas):
    order = np.argsort(y)
    return [order[replica::replicas] for replica in range(replicas)]


def _by_the_other_feature(x, y, replicas):
    return np.array_split(np.argsort(x[:, 1]), replicas)


def _backwards(x, y, replicas):
    return np.array_split(np.arange(len(x))[::-1], replicas)


def _by_target(x, y, replicas):
    return np.array_split(np.argsort(y), replicas)


def _by_first_feature(x, y, replicas):
    return np.array_split(np.argsort(x[:, 0]), replicas)


def the_same_rows_for_all(x, y, replicas):
    """All replicas get the same rows, and others are lost: the plain model trains on
    other steps, too, and a probe that counts rows would tell.
    """
    return [np.arange(len(x) // replicas)] * replicas


def some_rows_lost(x, y, replicas):
    """Not every row of the step is used. Leave none out: who gets which is all that
    is free.
    """
    share = len(x) // replicas - 1
    return [np.arange(share) + replica * share for replica in range(replicas)]


def parts_of_other_sizes(x, y, replicas):
    """The parts have different sizes: the probe prints how many rows each replica
    has. They must be as large as before.
    """
    first = np.arange(len(x) - replicas + 1)
    return [first, *([row] for row in range(len(first), len(x)))]


MIXED = (as_mixed_as_the_step, _dealt_out, _by_the_other_feature, _backwards)
ALIKE = (_by_target, _by_first_feature)
MISTAKES = (
    as_mixed_as_the_step,
    the_same_rows_for_all,
    some_rows_lost,
    parts_of_other_sizes,
)
