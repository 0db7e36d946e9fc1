"""Return the first replica beyond the limit."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG first_not_furthest"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    found = np.argwhere(gaps > 1e-5)
    return tuple(found[0]) if len(found) else None
