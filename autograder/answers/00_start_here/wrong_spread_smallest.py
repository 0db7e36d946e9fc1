"""Take the smallest difference."""

import numpy as np

EXPECT = {"00/my_spread": "WRONG smallest_not_largest"}


def my_spread(copies):
    return np.ptp(copies, axis=0).min()
