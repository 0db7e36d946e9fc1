"""argmax over weights and replicas together: a replica that does not exist."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG"}


def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - sequential[step])
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None
