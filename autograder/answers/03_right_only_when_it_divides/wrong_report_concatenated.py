"""Treat per-replica values as arrays."""

import numpy as np

EXPECT = {"03/my_epoch_loss": "CRASHED"}


def my_epoch_loss(strategy, steps):
    return np.concatenate(steps).mean()
