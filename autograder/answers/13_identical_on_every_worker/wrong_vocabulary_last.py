"""dict.update replaces."""

EXPECT = {"13/my_vocabulary": "WRONG last_count"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        counts.update(shard)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
