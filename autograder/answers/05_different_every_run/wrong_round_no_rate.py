"""Without the learning rate."""

import numpy as np

EXPECT = {"05/my_round": "WRONG rate_forgotten"}


def my_round(w, shards, gradient):
    gradients = [gradient(w, shard) for shard in shards]
    rows = [len(shard) for shard in shards]
    return w - np.average(gradients, axis=0, weights=rows)
