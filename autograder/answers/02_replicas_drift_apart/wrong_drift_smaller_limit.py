"""A limit of 1e-6."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG noise_is_drift"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if off.max() > 1e-6:
            return step, int(off.argmax())
    return None
