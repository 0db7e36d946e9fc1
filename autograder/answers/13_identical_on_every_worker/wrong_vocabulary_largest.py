"""Counters joined by |: the largest count."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "WRONG largest_count"}


def my_vocabulary(shards, size):
    counts = Counter()
    for shard in shards:
        counts |= Counter(shard)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
