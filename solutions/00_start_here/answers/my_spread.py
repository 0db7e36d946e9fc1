"""Answers to 00/my_spread, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


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


@crashed
def per_weight(copies):
    """Return one number per weight."""
    return np.ptp(copies, axis=0)


@wrong
def deviation(copies):
    """The standard deviation over the copies."""
    return copies.std(axis=0).max()
