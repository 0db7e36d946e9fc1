"""Answers to 12/my_first_failure, right and wrong, and what the check says of each."""

from itertools import accumulate

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def cumsum(events, limit):
    """NumPy adds up, and finds the first."""
    in_use = np.cumsum([change for _, change in events])
    over = np.flatnonzero(in_use > limit)
    return (over[0], in_use[over[0]] - limit) if len(over) else None


@right
def fold(events, limit):
    """Keep the amount in use."""
    in_use = 0.0
    for index in range(len(events)):
        in_use = in_use + events[index][1]
        if in_use - limit > 0:
            return [index, in_use - limit]


@right
def failure_free(events, limit):
    """Follow what is free instead."""
    free = limit
    for index, (_, change) in enumerate(events):
        free -= change
        if free < 0:
            return index, -free
    return None


@right
def generator(events, limit):
    """itertools adds up."""
    sums = accumulate(change for _, change in events)
    return next(((i, s - limit) for i, s in enumerate(sums) if s > limit), None)


@right
@changed(
    fold, ("return [index, in_use - limit]", "return index, round(in_use - limit, 1)")
)
def one_decimal():
    """Rounded as the events are, to one decimal."""


@right
def tensor(events, limit):
    """TensorFlow adds up; the answer is made of tensors."""
    in_use = tf.cumsum(tf.constant([change for _, change in events]))
    over = tf.where(in_use > limit)
    if len(over) == 0:
        return None
    return over[0, 0], in_use[over[0, 0]] - limit


@crashed
def endless(events, limit):
    """A loop that never ends."""
    index = taken = 0
    while taken <= limit:
        taken += max(0, 0 * index)
    return index, taken - limit


@wrong("only_what_takes")
@changed(
    cumsum,
    ("for _, change in events]", "for _, change in events if change > 0]"),
)
def positives():
    """Only what was taken, numbered."""


@wrong
@changed(cumsum, ("(over[0], in_use[over[0]] - limit)", "int(over[0])"))
def index_only():
    """The index without the amount."""


@wrong
@changed(cumsum, ("(over[0], ", "(events[over[0]][0], "))
def failure_name():
    """The name instead of the index."""


@wrong
@changed(cumsum, ("- limit)", "* 2 + 1)"))
def unknown():
    """An amount that nobody asks for."""
