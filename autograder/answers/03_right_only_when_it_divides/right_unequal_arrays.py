"""All steps at once, with infinity where there is no row."""

import numpy as np

EXPECT = {"03/my_first_unequal": "RIGHT"}


def my_first_unequal(counts):
    with np.errstate(divide="ignore"):
        weights = 1 / (counts.shape[1] * counts)
    off = abs(weights - 1 / counts.sum(axis=1, keepdims=True))
    off[counts == 0] = 0
    steps = np.flatnonzero(off.max(axis=1) > 1e-9)
    if len(steps) == 0:
        return None
    step = steps[0]
    replica = off[step].argmax()
    return step, replica, weights[step, replica]
