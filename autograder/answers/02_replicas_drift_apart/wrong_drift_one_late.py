"""Count steps from one although copies[0] is the start."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG one_step_late"}


def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - sequential[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step + 1, int(gaps.argmax())
    return None
