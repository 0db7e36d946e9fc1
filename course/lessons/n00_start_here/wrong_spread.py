"""Wrong answers to 00/my_spread: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers


def first_and_last(copies):
    """It compares the first and the last copy only. Two other copies may be further
    apart.
    """
    first, last = copies[0], copies[-1]
    return max(abs(first - last))


def against_copy_0(copies):
    """It compares every copy with copy 0. Two other copies may be further apart:
    one above copy 0, one below.
    """
    return max(np.abs(copy - copies[0]).max() for copy in copies)


def neighbours_only(copies):
    """It compares neighbours only: copy 0 with 1, 1 with 2, and so on. Copies that
    are further apart in the list may be the furthest.
    """
    return np.abs(np.diff(copies, axis=0)).max()


def neighbours_in_a_ring(copies):
    """It compares neighbours only, and the last copy with the first. Copies that are
    further apart in the list may be the furthest.
    """
    return np.abs(copies - np.roll(copies, 1, axis=0)).max()


def from_the_mean(copies):
    """It returns the largest distance from the mean of the copies. Return how far two
    copies are from each other.
    """
    return np.abs(copies - copies.mean(axis=0)).max()


def euclidean(copies):
    """It measures the distance of whole copies, over all weights together. Return the
    largest difference in one weight.
    """
    return max(np.linalg.norm(one - other) for one in copies for other in copies)


def weights_mixed(copies):
    """It subtracts the smallest of all numbers from the largest, across different
    weights. Compare each weight with itself: axis=0.
    """
    return copies.max() - copies.min()


def across_weights(copies):
    """It compares the weights within a copy. The replicas are axis 0."""
    return np.ptp(copies, axis=1).max()


def mean_not_largest(copies):
    """It averages over the weights. One weight that is off would hide among many
    that agree: take the largest.
    """
    return np.ptp(copies, axis=0).mean()


def smallest_not_largest(copies):
    """It returns the smallest difference. Return the largest."""
    return np.ptp(copies, axis=0).min()


MISTAKES = wrong_answers(__name__)
