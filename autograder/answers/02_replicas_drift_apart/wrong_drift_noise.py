"""Take any difference for a drift."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG noise_is_drift"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 0)
    return (steps[0], gaps[steps[0]].argmax()) if len(steps) else None
