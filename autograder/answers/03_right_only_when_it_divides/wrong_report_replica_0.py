"""Replica 0's rows only."""

import numpy as np

EXPECT = {"03/my_epoch_loss": "WRONG replica_0"}


def my_epoch_loss(strategy, steps):
    first = [strategy.experimental_local_results(losses)[0] for losses in steps]
    return np.concatenate(first).mean()
