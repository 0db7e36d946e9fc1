"""Common words only."""

EXPECT = {"13/my_vocabulary": "WRONG common_only"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    common = set(shards[0]).intersection(*shards)
    return sorted(common, key=lambda w: (-counts[w], w))[:size]
