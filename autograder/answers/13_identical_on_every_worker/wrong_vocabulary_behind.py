"""One shard's words behind the other's."""

EXPECT = {"13/my_vocabulary": "WRONG one_behind_the_other"}


def my_vocabulary(shards, size):
    words = []
    for shard in shards:
        words += sorted(shard, key=lambda w: (-shard[w], w))
    return list(dict.fromkeys(words))[:size]
