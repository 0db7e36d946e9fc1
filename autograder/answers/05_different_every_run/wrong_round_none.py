"""Nothing is returned."""

import numpy as np

EXPECT = {"05/my_round": "CRASHED"}


def my_round(w, shards, gradient):
    gradients = [gradient(w, s) for s in shards]
    w = w - LEARNING_RATE * np.mean(gradients, axis=0)
