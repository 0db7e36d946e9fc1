"""A loop adds up."""

EXPECT = {"13/my_vocabulary": "RIGHT"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return sorted(sorted(counts), key=counts.get, reverse=True)[:size]
