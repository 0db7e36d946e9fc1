"""The weighted mean of the gradients."""

import numpy as np

EXPECT = {"05/my_round": "RIGHT"}


def my_round(w, shards, gradient):
    gradients = [gradient(w, shard) for shard in shards]
    rows = [len(shard) for shard in shards]
    return w - LEARNING_RATE * np.average(gradients, axis=0, weights=rows)
