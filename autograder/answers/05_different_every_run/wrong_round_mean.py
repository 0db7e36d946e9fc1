"""The plain mean of the gradients."""

import numpy as np

EXPECT = {"05/my_round": "WRONG mean_of_means"}


def my_round(w, shards, gradient):
    return w - LEARNING_RATE * np.mean([gradient(w, s) for s in shards], axis=0)
