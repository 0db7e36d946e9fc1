"""The furthest at the end."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG furthest_at_the_end"}


def my_first_drift(copies, truth):
    off = np.abs(copies - truth[:, None]).max(axis=2)
    for step in range(len(copies)):
        if off[step].max() > 1e-5:
            return step, int(off[-1].argmax())
    return None
