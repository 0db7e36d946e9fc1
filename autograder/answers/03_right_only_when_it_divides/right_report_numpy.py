"""All losses in one array."""

import numpy as np

EXPECT = {"03/my_epoch_loss": "RIGHT"}


def my_epoch_loss(strategy, steps):
    parts = [strategy.experimental_local_results(losses) for losses in steps]
    return np.concatenate([p for step in parts for p in step]).mean()
