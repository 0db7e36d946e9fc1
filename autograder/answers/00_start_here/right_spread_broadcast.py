"""All differences in one array."""

import numpy as np

EXPECT = {"00/my_spread": "RIGHT"}


def my_spread(copies):
    return np.abs(copies[:, None] - copies[None, :]).max()
