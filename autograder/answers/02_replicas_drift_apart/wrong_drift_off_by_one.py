"""Count steps from zero."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG one_step_early"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0] - 1, gaps[steps[0]].argmax()) if len(steps) else None
