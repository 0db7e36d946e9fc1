"""Divide by the replicas that have rows."""

import numpy as np

EXPECT = {"03/my_first_unequal": "WRONG nonempty_replicas"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            weights = 1 / (len(each) * np.maximum(each, 1))
            off = np.where(each > 0, abs(weights - 1 / each.sum()), -1)
            replica = off.argmax()
            return step, replica, 1 / ((each > 0).sum() * each[replica])
    return None
