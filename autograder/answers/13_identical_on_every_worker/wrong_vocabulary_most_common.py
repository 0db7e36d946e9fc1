"""most_common: ties as the words came."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "WRONG ties_by_first_seen"}


def my_vocabulary(shards, size):
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return [word for word, _ in Counter(counts).most_common(size)]
