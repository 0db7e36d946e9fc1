"""Look at copy 0 only, as w.numpy() does."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG shown_copy_only"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps[:, 0] > 1e-5)
    return (steps[0], 0) if len(steps) else None
