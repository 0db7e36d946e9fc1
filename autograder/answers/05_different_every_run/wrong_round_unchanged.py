"""Compute the new weights and return the old ones."""

import numpy as np

EXPECT = {"05/my_round": "WRONG no_step"}


def my_round(w, shards, gradient):
    gradients = [gradient(w, s) for s in shards]
    w - LEARNING_RATE * np.mean(gradients, axis=0)
    return w
