"""Ties in reverse."""

EXPECT = {"13/my_vocabulary": "WRONG ties_backwards"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return sorted(counts, key=lambda w: (counts[w], w), reverse=True)[:size]
