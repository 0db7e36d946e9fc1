"""The shipped code, with a comment."""

import numpy as np

EXPECT = {"00/my_spread": "NOT ATTEMPTED"}


def my_spread(copies):
    # the first and the last
    return np.abs(copies[0] - copies[-1]).max()
