"""NumPy's interpolation."""

import numpy as np

EXPECT = {"10/my_rates": "RIGHT"}


def my_rates(rate, factor, warmup, steps):
    if warmup == 0:
        return np.full(steps, rate * factor)
    return np.interp(np.arange(steps), [0, warmup], [rate, rate * factor])
