"""Answers to 15/my_unseen, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def last_two(w, x, y):
    """The last two weights, and the parabola's numbers from three points."""
    way = np.eye(len(w))[-1] - np.eye(len(w))[-2]

    def loss(t):
        return np.mean((x @ (w + t * way) - y) ** 2)

    low, here, high = loss(-1.0), loss(0.0), loss(1.0)
    bend, slope = (low + high) / 2 - here, (high - low) / 2
    return (w - slope / bend * way).tolist()


@right
def best_direction(w, x, y):
    """Of all pairs of weights, the one that goes farthest."""
    error, found = x @ w - y, w
    for i in range(1, len(w)):
        for k in range(1, i):
            moved = x[:, i] - x[:, k]
            far = -2 * (error @ moved) / (moved @ moved)
            other = w.copy()
            other[i] += far
            other[k] -= far
            if np.abs(other - w).max() > np.abs(found - w).max():
                found = other
    return found


@right
def sphere(w, x, y):
    """A turn about the smallest loss, among weights with this sum and first weight."""
    basis = np.linalg.svd(np.array([np.eye(len(w))[0], np.ones(len(w))]))[2][2:]
    inside = x @ basis.T
    lowest = np.linalg.lstsq(inside, y - x @ w, rcond=None)[0]
    return w + 2 * lowest @ basis


@wrong("at_the_smallest")
@changed(sphere, ("2 * lowest", "lowest"))
def lowest():
    """The smallest loss among these weights."""


@wrong("first_and_sum_changed")
def all_weights(w, x, y):
    """A turn about the smallest loss of all."""
    return w + 2 * np.linalg.lstsq(x, y - x @ w, rcond=None)[0]


@wrong("sum_changed")
@changed(last_two, (" - np.eye(len(w))[-2]", ""))
def last_only():
    """One weight only."""


@wrong("first_changed")
@changed(last_two, ("[-2]", "[0]"))
def first_too():
    """The first weight gives what the last one gets."""


@wrong("two_exchanged")
@changed(last_two, ("w - slope", "w + slope"))
def uphill():
    """The wrong direction."""


@wrong("same_weights")
def copied(w, x, y):
    """Nothing is changed."""
    return w.copy()


@wrong
def words(w, x, y):
    """It says what to do."""
    return "another start"
