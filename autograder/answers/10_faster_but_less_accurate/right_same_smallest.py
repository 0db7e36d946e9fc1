"""The smallest gap of all, if it is small enough."""

import numpy as np

EXPECT = {"10/my_same_training": "RIGHT"}


def my_same_training(run, alone):
    n = len(run)
    gaps = {b: np.abs(w[:n] - run).max() for b, w in alone.items() if len(w) >= n}
    batch = min(gaps, key=gaps.get)
    return (batch, gaps[batch]) if gaps[batch] < 0.01 else None
