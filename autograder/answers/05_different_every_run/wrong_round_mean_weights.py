"""The plain mean of the workers' new weights."""

import numpy as np

EXPECT = {"05/my_round": "WRONG mean_of_means"}


def my_round(w, shards, gradient):
    return np.mean([w - LEARNING_RATE * gradient(w, s) for s in shards], axis=0)
