"""The shipped code, without its docstring."""

EXPECT = {"05/my_round": "NOT ATTEMPTED"}


def my_round(w, shards, gradient):
    for shard in shards:
        w = w - LEARNING_RATE * gradient(w, shard)
    return w
