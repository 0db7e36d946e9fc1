"""Sorted at the end."""

EXPECT = {"13/my_vocabulary": "WRONG sorted_at_the_end"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return sorted(sorted(counts, key=lambda w: (-counts[w], w))[:size])
