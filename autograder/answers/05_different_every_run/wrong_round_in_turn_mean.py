"""In turn, with a smaller rate."""

EXPECT = {"05/my_round": "WRONG in_turn_mean"}


def my_round(w, shards, gradient):
    for shard in shards:
        w = w - LEARNING_RATE / len(shards) * gradient(w, shard)
    return w
