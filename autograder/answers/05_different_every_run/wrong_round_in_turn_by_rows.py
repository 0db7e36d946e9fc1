"""In turn, by rows."""

EXPECT = {"05/my_round": "WRONG in_turn_by_rows"}


def my_round(w, shards, gradient):
    rows = sum(map(len, shards))
    for shard in shards:
        w = w - LEARNING_RATE * len(shard) / rows * gradient(w, shard)
    return w
