"""Exact equality, which rounding forbids."""

import numpy as np

EXPECT = {"10/my_same_training": "WRONG always_none"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if np.array_equal(run, weights[: len(run)]):
            return batch, 0.0
