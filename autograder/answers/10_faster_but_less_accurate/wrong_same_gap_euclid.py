"""The distance in the plane."""

import numpy as np

EXPECT = {"10/my_same_training": "WRONG euclidean_gap"}


def my_same_training(run, alone):
    for batch, weights in alone.items():
        if len(weights) >= len(run):
            off = run - weights[: len(run)]
            if abs(off).max() < 0.01:
                return batch, np.linalg.norm(off, axis=1).max()
