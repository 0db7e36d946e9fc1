"""Add the gradients up."""

EXPECT = {"05/my_round": "WRONG summed"}


def my_round(w, shards, gradient):
    return w - LEARNING_RATE * sum(gradient(w, shard) for shard in shards)
