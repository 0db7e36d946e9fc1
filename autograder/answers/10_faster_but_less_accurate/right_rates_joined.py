"""A line and a constant, joined and cut."""

import numpy as np

EXPECT = {"10/my_rates": "RIGHT"}


def my_rates(rate, factor, warmup, steps):
    rise = np.linspace(rate, rate * factor, warmup + 1)[:-1].tolist()
    return (rise + [rate * factor] * steps)[:steps]
