"""Apply in turn, each gradient taken at a copy of the old weights."""

EXPECT = {"05/my_round": "RIGHT"}


def my_round(w, shards, gradient):
    old, rows = w.copy(), sum(map(len, shards))
    for shard in shards:
        w -= LEARNING_RATE * len(shard) / rows * gradient(old, shard)
    return w
