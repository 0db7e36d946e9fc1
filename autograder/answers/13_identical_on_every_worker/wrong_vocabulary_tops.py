"""Each shard is cut first."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "WRONG tops_of_shards"}


def my_vocabulary(shards, size):
    total = Counter()
    for shard in shards:
        for word in sorted(shard, key=lambda w: (-shard[w], w))[:size]:
            total[word] += shard[word]
    return sorted(total, key=lambda w: (-total[w], w))[:size]
