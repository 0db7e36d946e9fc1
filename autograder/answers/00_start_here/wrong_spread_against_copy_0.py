"""Compare every copy with copy 0 only."""

import numpy as np

EXPECT = {"00/my_spread": "WRONG against_copy_0"}


def my_spread(copies):
    return max(np.abs(copy - copies[0]).max() for copy in copies)
