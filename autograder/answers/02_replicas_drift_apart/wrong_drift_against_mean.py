"""Compare the copies with their own mean, not with the sequential run."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG against_the_mean"}


def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - copies[step].mean(axis=0)).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None
