"""Over the whole training."""

import numpy as np

EXPECT = {"10/my_rates": "WRONG whole_training"}


def my_rates(rate, factor, warmup, steps):
    return np.linspace(rate, rate * factor, steps)
