"""A limit of 1e-4."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG too_much_allowed"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if off.max() > 1e-4:
            return step, int(off.argmax())
    return None
