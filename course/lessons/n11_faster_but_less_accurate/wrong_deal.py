"""Wrong answers to 11/my_deal: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np


def as_mixed_as_the_step(x, y, replicas):
    """Within a replica, the targets differ about as much as in the whole step. So
    normalising removes too little of what tells large targets from small ones.
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


def some_rows_twice(x, y, replicas):
    """Some rows are in several parts, and others in none. So the plain model trains on
    other rows, too.
    """
    return [np.arange(len(x) // replicas)] * replicas


def some_rows_lost(x, y, replicas):
    """Some rows of the step are in no part. Leave none out: you may only choose which
    replica gets which row.
    """
    share = len(x) // replicas - 1
    return [np.arange(share) + replica * share for replica in range(replicas)]


def all_rows_for_all(x, y, replicas):
    """Rows are in several parts, so a step has more rows than on one device. Each row
    goes to one replica.
    """
    return [np.arange(len(x))] * replicas


def parts_of_other_sizes(x, y, replicas):
    """The parts have different sizes, and the probe prints how many rows each replica
    has. Give each replica the same number of rows.
    """
    first = np.arange(len(x) - replicas + 1)
    return [first, *([row] for row in range(len(first), len(x)))]


MIXED = (as_mixed_as_the_step, _dealt_out, _by_the_other_feature, _backwards)
ALIKE = (_by_target, _by_first_feature)
MISTAKES = (
    as_mixed_as_the_step,
    some_rows_twice,
    some_rows_lost,
    all_rows_for_all,
    parts_of_other_sizes,
)
