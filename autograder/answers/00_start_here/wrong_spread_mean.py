"""Average over the weights."""

import numpy as np

EXPECT = {"00/my_spread": "WRONG mean_not_largest"}


def my_spread(copies):
    return np.ptp(copies, axis=0).mean()
