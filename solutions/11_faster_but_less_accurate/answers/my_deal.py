"""Answers to 11/my_deal, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def sorted_by_target(x, y, replicas):
    """Rows with like targets together."""
    return np.array_split(np.argsort(y), replicas)


@right
def sorted_by_first_feature(x, y, replicas):
    """Rows with a like first feature, in plain Python lists."""
    order = sorted(range(len(x)), key=lambda row: x[row, 0])
    share = len(order) // replicas
    return [order[r * share : (r + 1) * share] for r in range(replicas)]


@right
def nearest_to_the_largest(x, y, replicas):
    """One after the other takes the largest targets that are left."""
    left, parts = set(range(len(y))), []
    for _ in range(replicas):
        part = sorted(left, key=lambda row: -y[row])[: len(y) // replicas]
        left -= set(part)
        parts.append(part)
    return parts


@wrong("as_mixed_as_the_step")
def like_cards(x, y, replicas):
    """Sorted, and then dealt out one by one."""
    order = np.argsort(y)
    return [order[replica::replicas] for replica in range(replicas)]


@wrong("as_mixed_as_the_step")
def other_feature(x, y, replicas):
    """By the feature on which the target depends less."""
    return np.array_split(np.argsort(x[:, 1]), replicas)


@wrong("parts_of_other_sizes")
def half_to_the_first(x, y, replicas):
    """Sorted, but the first replica gets half of the rows."""
    half = len(x) // 2
    return np.split(np.argsort(y), [half + part for part in range(replicas - 1)])


@wrong("as_mixed_as_the_step")
def last_rows_first(x, y, replicas):
    """The rows in order, from the end."""
    return np.array_split(np.arange(len(x))[::-1], replicas)


@wrong("some_rows_twice")
def all_alike(x, y, replicas):
    """The same rows for each replica."""
    return [list(range(len(x) // replicas)) for _ in range(replicas)]


@wrong("some_rows_twice")
def overlapping(x, y, replicas):
    """Each part begins one row too early."""
    order, share = np.argsort(y), len(x) // replicas
    starts = [max(0, r * share - 1) for r in range(replicas)]
    return [order[start : start + share] for start in starts]


@wrong("some_rows_lost")
def nobody(x, y, replicas):
    """No rows at all."""
    return [[] for _ in range(replicas)]


@wrong("all_rows_for_all")
@changed(all_alike, ("list(range(len(x) // replicas))", "list(range(len(x)))"))
def everybody():
    """All rows for each replica."""


@wrong
def values(x, y, replicas):
    """The rows themselves instead of their numbers."""
    return np.array_split(x[np.argsort(y)], replicas)


@wrong
def order_only(x, y, replicas):
    """One list instead of one for each replica."""
    return np.argsort(y)


@crashed
def beyond(x, y, replicas):
    """Numbers that count from 1."""
    return np.array_split(np.argsort(y) + 1, replicas)
