"""In turn, in place."""

EXPECT = {"05/my_round": "WRONG in_turn"}


def my_round(w, shards, gradient):
    for shard in shards:
        w -= LEARNING_RATE * gradient(w, shard)
    return w
