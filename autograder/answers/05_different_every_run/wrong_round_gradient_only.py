"""Return the mean gradient instead of the new weights."""

import numpy as np

EXPECT = {"05/my_round": "WRONG gradient_only"}


def my_round(w, shards, gradient):
    gradients = [gradient(w, shard) for shard in shards]
    return np.average(gradients, axis=0, weights=[len(shard) for shard in shards])
