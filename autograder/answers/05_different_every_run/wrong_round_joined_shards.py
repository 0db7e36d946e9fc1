"""One gradient over all shards together."""

EXPECT = {"05/my_round": "CRASHED"}


def my_round(w, shards, gradient):
    return w - LEARNING_RATE * gradient(w, shards)
