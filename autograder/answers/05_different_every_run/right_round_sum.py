"""Sums over rows, divided once."""

EXPECT = {"05/my_round": "RIGHT"}


def my_round(w, shards, gradient):
    total = sum(len(shard) * gradient(w, shard) for shard in shards)
    return w - LEARNING_RATE * total / sum(len(shard) for shard in shards)
