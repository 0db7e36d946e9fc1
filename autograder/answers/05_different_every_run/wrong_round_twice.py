"""Every gradient is computed twice."""

EXPECT = {"05/my_round": "WRONG gradients_taken_twice"}


def my_round(w, shards, gradient):
    rows = sum(map(len, shards))
    if max(abs(gradient(w, shard)).max() for shard in shards) == 0:
        return w
    total = sum(len(shard) * gradient(w, shard) for shard in shards)
    return w - LEARNING_RATE * total / rows
