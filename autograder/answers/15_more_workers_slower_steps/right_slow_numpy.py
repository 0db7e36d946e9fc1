"""A table of steps and workers."""

import numpy as np

EXPECT = {"15/my_slow_one": "RIGHT"}


def my_slow_one(steps):
    own = np.zeros((1 + max(s[1] for s in steps), 1 + max(s[0] for s in steps)))
    for worker, step, began, entered, _left in steps:
        own[step, worker] = entered - began
    for worker in range(own.shape[1]):
        others = np.delete(own, worker, axis=1).max(axis=1)
        if np.mean(own[:, worker] >= 2 * others) > 0.5:
            return worker
