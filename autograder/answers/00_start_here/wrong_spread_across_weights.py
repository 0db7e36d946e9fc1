"""Compare the weights within a copy."""

import numpy as np

EXPECT = {"00/my_spread": "WRONG across_weights"}


def my_spread(copies):
    return np.ptp(copies, axis=1).max()
