"""The same with one array of gaps."""

import numpy as np

EXPECT = {"02/my_first_drift": "RIGHT"}


def my_first_drift(copies, sequential):
    gaps = np.linalg.norm(copies - sequential[:, None], axis=2, ord=np.inf)
    steps = np.flatnonzero(gaps.max(axis=1) > 1e-5)
    return (steps[0], gaps[steps[0]].argmax()) if steps.size else None
