"""Goes through the replicas first."""

import numpy as np

EXPECT = {"02/my_first_drift": "WRONG replicas_first"}


def my_first_drift(copies, truth):
    for replica in range(copies.shape[1]):
        for step in range(len(copies)):
            if np.abs(copies[step, replica] - truth[step]).max() > 1e-5:
                return step, replica
    return None
