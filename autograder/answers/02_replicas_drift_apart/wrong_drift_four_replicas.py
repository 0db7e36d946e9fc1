"""As if there were always four replicas."""

import numpy as np

EXPECT = {"02/my_first_drift": "CRASHED"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = [np.abs(copies[step, r] - truth[step]).max() for r in range(4)]
        if max(off) > 1e-5:
            return step, int(np.argmax(off))
    return None
