"""Compare every copy with every other."""

import numpy as np

EXPECT = {"00/my_spread": "RIGHT"}


def my_spread(copies):
    return max(np.abs(one - other).max() for one in copies for other in copies)
