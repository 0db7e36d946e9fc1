"""Counts shards, not words."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "WRONG shards_counted"}


def my_vocabulary(shards, size):
    counts = Counter(word for shard in shards for word in shard)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
