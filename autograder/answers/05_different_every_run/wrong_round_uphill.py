"""Add instead of subtract."""

import numpy as np

EXPECT = {"05/my_round": "WRONG uphill"}


def my_round(w, shards, gradient):
    rows = [len(s) for s in shards]
    gradients = [gradient(w, s) for s in shards]
    return w + LEARNING_RATE * np.average(gradients, axis=0, weights=rows)
