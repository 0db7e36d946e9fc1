"""Sums over rows, never divided."""

EXPECT = {"05/my_round": "WRONG not_divided"}


def my_round(w, shards, gradient):
    return w - LEARNING_RATE * sum(len(s) * gradient(w, s) for s in shards)
