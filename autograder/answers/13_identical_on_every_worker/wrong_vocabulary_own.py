"""The own shard, written in another way."""

EXPECT = {"13/my_vocabulary": "WRONG own_shard"}


def my_vocabulary(shards, size):
    pairs = sorted((-count, word) for word, count in shards[0].items())
    return [word for _, word in pairs][:size]
