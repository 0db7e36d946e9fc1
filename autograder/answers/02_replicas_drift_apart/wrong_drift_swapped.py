"""The replica first."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG swapped"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if off.max() > 1e-5:
            return int(off.argmax()), step
    return None
