"""With NumPy."""

import numpy as np

EXPECT = {"17/my_fall_back": "RIGHT"}


def my_fall_back(log):
    steps = np.array([step for _, step in log])
    falls = np.flatnonzero(np.diff(steps) <= 0)
    if len(falls) == 0:
        return None
    last, step = steps[falls[0]], steps[falls[0] + 1]
    return [int(step), int(last - step) + 1]
