"""Look at the end of the run only."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG last_not_first"}


def my_first_drift(copies, sequential):
    gaps = np.abs(copies[-1] - sequential[-1]).max(axis=1)
    return (len(copies) - 1, gaps.argmax()) if gaps.max() > 1e-5 else None
