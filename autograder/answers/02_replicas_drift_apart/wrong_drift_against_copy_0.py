"""Compare with copy 0, not with the sequential run."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG against_copy_0"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - copies[:, :1]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0], gaps[steps[0]].argmax()) if len(steps) else None
