"""np.allclose with its relative tolerance."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG too_much_allowed"}


def my_first_drift(copies, truth):
    for step in range(len(copies)):
        off = np.abs(copies[step] - truth[step]).max(axis=1)
        near = [np.allclose(own, truth[step], atol=1e-5) for own in copies[step]]
        if not all(near):
            return step, int(off.argmax())
    return None
