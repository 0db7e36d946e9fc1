"""Overwrite the result of the other workers."""

EXPECT = {"05/my_round": "WRONG last_worker"}


def my_round(w, shards, gradient):
    for shard in shards:
        new = w - LEARNING_RATE * gradient(w, shard)
    return new
