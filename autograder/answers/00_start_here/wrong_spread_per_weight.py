"""Return one number per weight."""

import numpy as np

EXPECT = {"00/my_spread": "CRASHED"}


def my_spread(copies):
    return np.ptp(copies, axis=0)
