"""The step with the largest error of all."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG worst_not_first"}


def my_first_unequal(counts):
    weights = 1 / (counts.shape[1] * np.maximum(counts, 1))
    off = abs(weights - 1 / counts.sum(axis=1, keepdims=True))
    off[counts == 0] = 0
    if off.max() < 1e-9:
        return None
    step = off.max(axis=1).argmax()
    replica = off[step].argmax()
    return step, replica, weights[step, replica]
