"""Wrong answers to 04/my_first_shared: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import pairwise

import numpy as np

from course.checks.exercises import wrong_answers
from course.checks.places import Found


def _first(share: Callable[[np.ndarray], bool]) -> Callable[[np.ndarray], Found]:
    """Return a search for the first step and layer whose replicas `share`."""

    @wraps(share)
    def search(masks: np.ndarray) -> Found:
        layers, steps = masks.shape[:2]
        for step in range(steps):
            for layer in range(layers):
                if share(masks[layer, step]):
                    return step, layer
        return None

    return search


def _repeats(values: np.ndarray) -> bool:
    return len(np.unique(values, axis=0)) < len(values)


@_first
def first_two_replicas(drawn):
    """It compares replicas 0 and 1 only. Other replicas may share."""
    return (drawn[0] == drawn[1]).all()


@_first
def against_replica_0(drawn):
    """It compares every replica with replica 0. Two others may share."""
    return any((drawn[0] == each).all() for each in drawn[1:])


@_first
def neighbours(drawn):
    """It compares neighbours only. Replicas 1 and 3 may share, and 2 not."""
    return any((a == b).all() for a, b in pairwise(drawn))


@_first
def all_replicas(drawn):
    """It asks whether ALL replicas have the same mask. Two are enough."""
    return (drawn == drawn[0]).all()


def by_layer(masks):
    """It goes through the layers first. Asked is the first step, and in it the
    first layer.
    """
    for layer, steps in enumerate(masks):
        for step, drawn in enumerate(steps):
            if _repeats(drawn):
                return step, layer
    return None


@_first
def first_row(drawn):
    """It compares the first rows only, which may agree by chance. Compare all rows
    of the replicas.
    """
    return _repeats(drawn[:, 0])


@_first
def one_row(drawn):
    """It takes one equal row for enough, which may come by chance. All rows of two
    replicas must be equal.
    """
    return any(_repeats(rows) for rows in drawn.swapaxes(0, 1))


@_first
def rows_anywhere(drawn):
    """It compares single rows, wherever they stand, not whole masks of replicas."""
    return _repeats(drawn.reshape(-1, drawn.shape[-1]))


@_first
def equal_share(drawn):
    """It compares how much is kept, not the masks themselves."""
    return _repeats(drawn.mean(axis=(1, 2)))


@_first
def everywhere(drawn):
    """It finds something in every recording, at once: it compares a replica with
    itself.
    """
    return any(np.array_equal(a, b) for a in drawn for b in drawn)


@_first
def single_values(drawn):
    """It counts single values, True and False, not masks: np.unique needs axis=0."""
    return len(np.unique(drawn)) < len(drawn)


@_first
def four_replicas(drawn):
    """It takes for granted that there are four replicas. masks.shape says how many
    there are.
    """
    return len({mask.tobytes() for mask in drawn}) < 4


def across_layers(masks):
    """It also compares masks of different layers. Asked is what replicas share
    within one layer.
    """
    layers, steps = masks.shape[:2]
    for step in range(steps):
        seen = set()
        for layer in range(layers):
            for mask in masks[layer, step]:
                if mask.tobytes() in seen:
                    return step, layer
                seen.add(mask.tobytes())
    return None


def repeated_steps(masks):
    """It looks for masks that are repeated from step to step. Asked is what
    replicas share within a step.
    """
    layers, steps = masks.shape[:2]
    for step in range(1, steps):
        for layer in range(layers):
            if np.array_equal(masks[layer, step], masks[layer, step - 1]):
                return step, layer
    return None


def order_of_the_pair(masks):
    """Layer and step are swapped. Return (step, layer)."""
    found = _first(_repeats)(masks)
    return found and found[::-1]


MISTAKES = wrong_answers(__name__)
