"""Average the workers' new weights by rows."""

import numpy as np

EXPECT = {"05/my_round": "RIGHT"}


def my_round(w, shards, gradient):
    new = [w - 0.1 * gradient(w, shard) for shard in shards]
    rows = np.array([len(shard) for shard in shards])
    return rows @ np.array(new) / rows.sum()
