"""Wrong answers to 03/my_first_unequal: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np


def smaller_batch(counts):
    """It looks for a smaller batch. A smaller batch that is split evenly is right:
    what counts is whether the replicas have the same number of rows.
    """
    full = counts.max(axis=0).sum()
    for step in range(len(counts)):
        rows = counts[step].sum()
        if rows < full:
            return step, counts[step].argmin(), 1 / rows


def smaller_batch_right_weight(counts):
    """The step is the first smaller batch, which may be split evenly. Compare with
    1 / (rows of this step), not with that of a full batch.
    """
    for step, each in enumerate(counts):
        if each.sum() < counts[0].sum():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()]
    return None


def unequal_wanted_weight(counts):
    """The step is right. But the replica with the fewest rows may have none, and 1
    / (rows in the step) is the weight that a row should have, not the one it has.
    """
    for step, each in enumerate(counts):
        if each.min() != each.max():
            return step, int(each.argmin()), 1 / each.sum()
    return None


def empty_overlooked(counts):
    """It leaves empty replicas out of the comparison. An empty replica still counts
    in the division by the number of replicas.
    """
    for step, each in enumerate(counts):
        used = each[each > 0]
        if used.min() < used.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()]
    return None


def fewest_rows(counts):
    """It takes a replica that may have no row at all: then there is no row whose
    weight could be wrong.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            replica = each.argmin()
            with np.errstate(divide="ignore"):
                return step, replica, 1 / (len(each) * each[replica])
    return None


def most_rows(counts):
    """It takes the replica with the most rows. Its rows are often nearer to the
    right weight than the lone row of another replica.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            return step, each.argmax(), 1 / (len(each) * each.max())
    return None


def fewest_nonempty(counts):
    """It takes the replica with the fewest rows, empty ones apart. With an empty
    replica in the step, rows of larger shards can be further off.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            replica = np.where(each > 0, each, 99).argmin()
            return step, replica, 1 / (len(each) * each[replica])
    return None


def weight_of_replica(counts):
    """The weight is that of the whole replica, 1 / replicas. Its rows share it:
    divide by its number of rows.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), 1 / len(each)
    return None


def wanted_weight(counts):
    """The weight is the one the row should have, 1 / (rows in the step). Asked is
    the weight that it gets.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), 1 / each.sum()
    return None


def local_weight(counts):
    """The weight is that inside the replica, 1 / (its rows). The mean over the
    replicas divides once more, by their number.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), 1 / each[off.argmax()]
    return None


def nonempty_replicas(counts):
    """The weight is computed with the number of replicas that have rows. The rule
    divides by ALL replicas, empty ones too.
    """
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            replica = off.argmax()
            return step, replica, 1 / ((each > 0).sum() * each[replica])
    return None


def ratio(counts):
    """It returns how many times too heavy the row is. Asked is the weight itself."""
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            return step, off.argmax(), weights[off.argmax()] * each.sum()
    return None


def worst_not_first(counts):
    """It returns the step with the largest error. Asked is the first."""
    weights = 1 / (counts.shape[1] * np.maximum(counts, 1))
    off = abs(weights - 1 / counts.sum(axis=1, keepdims=True))
    off[counts == 0] = 0
    if off.max() < 1e-9:
        return None
    step = off.max(axis=1).argmax()
    replica = off[step].argmax()
    return step, replica, weights[step, replica]


MISTAKES = (
    smaller_batch,
    smaller_batch_right_weight,
    unequal_wanted_weight,
    empty_overlooked,
    fewest_rows,
    most_rows,
    fewest_nonempty,
    weight_of_replica,
    wanted_weight,
    local_weight,
    nonempty_replicas,
    ratio,
    worst_not_first,
)
