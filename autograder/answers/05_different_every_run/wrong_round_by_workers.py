"""Sums over rows, divided by workers."""

EXPECT = {"05/my_round": "WRONG divided_by_workers"}


def my_round(w, shards, gradient):
    total = sum(len(s) * gradient(w, s) for s in shards)
    return w - LEARNING_RATE * total / len(shards)
