"""Answers to 00/my_spread, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import right, wrong


@right
def broadcast(copies):
    """All differences in one array."""
    return np.abs(copies[:, None] - copies[None, :]).max()


@right
def by_weight(copies):
    """Largest less smallest, weight by weight."""
    return (copies.max(axis=0) - copies.min(axis=0)).max()


@right
def pairs(copies):
    """Compare every copy with every other."""
    return max(np.abs(one - other).max() for one in copies for other in copies)


@wrong
def per_weight(copies):
    """Return one number per weight."""
    return np.ptp(copies, axis=0)


@wrong
def deviation(copies):
    """The standard deviation over the copies."""
    return copies.std(axis=0).max()


@wrong
def some_weights(copies):
    """The first two weights only."""
    return np.ptp(copies[:, :2], axis=0).max()


@wrong("neighbours_in_a_ring")
def pairs_in_a_ring(copies):
    """Each copy with the one before it in the list; the first with the last."""
    return max(np.abs(copies[r] - copies[r - 1]).max() for r in range(len(copies)))


@wrong
def signed(copies):
    """Without the absolute value, every pair in one order only."""
    n = len(copies)
    return max((copies[i] - copies[j]).max() for i in range(n) for j in range(i))
