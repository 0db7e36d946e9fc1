"""Return where the gap is largest in the whole run."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG worst_not_first"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    worst = np.unravel_index(gaps.argmax(), gaps.shape)
    return worst if gaps.max() > 1e-5 else None
