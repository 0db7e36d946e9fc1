"""The mean of the means of replicas that have rows."""

import numpy as np

EXPECT = {"03/my_epoch_loss": "WRONG nonempty_local_means"}


def my_epoch_loss(strategy, steps):
    parts = [p for s in steps for p in strategy.experimental_local_results(s)]
    return np.mean([part.numpy().mean() for part in parts if len(part)])
