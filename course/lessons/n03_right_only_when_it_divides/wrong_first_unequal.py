"""Wrong answers to 03/my_first_unequal: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np

from course.checks.exercises import wrong_answers


def weights(counts: np.ndarray) -> np.ndarray:
    """Return a row's weight on each replica under the mean of the local means."""
    return 1 / (counts.shape[-1] * np.maximum(counts, 1))


def furthest(counts: np.ndarray) -> int:
    """Return the replica whose rows in a step are furthest from the right weight."""
    off = np.abs(weights(counts) - 1 / counts.sum())
    return int(np.where(counts > 0, np.round(off, 9), -1).argmax())


def in_first_unequal(tell: Callable) -> Callable:
    """Return the search for the first unequal step, of which `tell` says the rest.

    tell: rows of each replica in a step -> replica and weight.
    """

    @wraps(tell)
    def find(counts: np.ndarray):
        for step, each in enumerate(counts):
            if each.min() < each.max():
                return step, *tell(each)
        return None

    return find


def smaller_batch(counts):
    """It looks for a smaller batch. A smaller batch that is split evenly is right:
    what counts is whether the replicas have the same number of rows.
    """
    for step in range(len(counts)):
        rows = counts[step].sum()
        if rows < counts[0].sum():
            return step, counts[step].argmin(), 1 / rows


def smaller_batch_right_weight(counts):
    """The step is the first smaller batch, which may be split evenly. Compare with
    1 / (rows of this step), not with that of a full batch.
    """
    for step, each in enumerate(counts):
        if each.sum() < counts[0].sum():
            return step, furthest(each), weights(each)[furthest(each)]
    return None


@in_first_unequal
def unequal_wanted_weight(each):
    """The step is right. But the replica with the fewest rows may have none, and 1
    / (rows in the step) is the weight that a row should have, not the one it has.
    """
    return each.argmin(), 1 / each.sum()


def empty_overlooked(counts):
    """It leaves empty replicas out of the comparison. An empty replica still counts
    in the division by the number of replicas.
    """
    for step, each in enumerate(counts):
        used = each[each > 0]
        if used.min() < used.max():
            return step, furthest(each), weights(each)[furthest(each)]
    return None


@in_first_unequal
def fewest_rows(each):
    """It takes a replica that may have no row at all: then there is no row whose
    weight could be wrong.
    """
    with np.errstate(divide="ignore"):
        return each.argmin(), 1 / (len(each) * each.min())


@in_first_unequal
def most_rows(each):
    """It takes the replica with the most rows. Its rows are often nearer to the
    right weight than the lone row of another replica.
    """
    return each.argmax(), 1 / (len(each) * each.max())


@in_first_unequal
def fewest_nonempty(each):
    """It takes the replica with the fewest rows, empty ones apart. With an empty
    replica in the step, rows of larger shards can be further off.
    """
    replica = np.where(each > 0, each, 99).argmin()
    return replica, weights(each)[replica]


@in_first_unequal
def weight_of_replica(each):
    """The weight is that of the whole replica, 1 / replicas. Its rows share it:
    divide by its number of rows.
    """
    return furthest(each), 1 / len(each)


@in_first_unequal
def wanted_weight(each):
    """The weight is the one the row should have, 1 / (rows in the step). Return the
    weight that it gets.
    """
    return furthest(each), 1 / each.sum()


@in_first_unequal
def local_weight(each):
    """The weight is that inside the replica, 1 / (its rows). The mean over the
    replicas divides once more, by their number.
    """
    return furthest(each), 1 / each[furthest(each)]


@in_first_unequal
def nonempty_replicas(each):
    """The weight is computed with the number of replicas that have rows. The rule
    divides by ALL replicas, empty ones too.
    """
    return furthest(each), 1 / ((each > 0).sum() * each[furthest(each)])


@in_first_unequal
def ratio(each):
    """It returns how many times too heavy the row is. Return the weight itself."""
    return furthest(each), weights(each)[furthest(each)] * each.sum()


@in_first_unequal
def by_factor(each):
    """It compares by which factor a weight is too large or too small. The error is a
    difference: 1/6 is further from 1/9 than 1/15 is.
    """
    times = weights(each) * each.sum()
    replica = np.where(each > 0, np.abs(np.log(times)), -1).argmax()
    return replica, weights(each)[replica]


def no_tolerance(counts):
    """It compares two fractions exactly. Computed in another order, 1 / 45 can differ
    in its last digit, and an even step looks uneven. Allow for rounding, or compare the
    numbers of rows.
    """
    replicas = counts.shape[1]
    for step, each in enumerate(counts):
        share = 1 / replicas / np.maximum(each, 1)
        off = np.where(each > 0, np.abs(share - 1 / each.sum()), 0)
        if off.max() > 0:
            return step, off.argmax(), share[off.argmax()]
    return None


def worst_not_first(counts):
    """It returns the step with the largest error. Return the first step with one."""
    off = abs(weights(counts) - 1 / counts.sum(axis=1, keepdims=True))
    off[counts == 0] = 0
    if off.max() < 1e-9:
        return None
    step, replica = divmod(off.argmax(), off.shape[1])
    return step, replica, weights(counts)[step, replica]


MISTAKES = wrong_answers(__name__, weights, furthest, in_first_unequal)
