"""A mean over the rows of each step, then over the steps."""

import numpy as np

EXPECT = {"03/my_epoch_loss": "WRONG mean_of_step_means"}


def my_epoch_loss(strategy, steps):
    parts = [strategy.experimental_local_results(losses) for losses in steps]
    return np.mean([np.concatenate(step).mean() for step in parts])
