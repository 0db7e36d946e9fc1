"""All copies must be away."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG all_must_drift"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        if (off > 1e-5).all():
            return step, int(off.argmax())
    return None
