"""most_common, after the alphabet."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "RIGHT"}


def my_vocabulary(shards, size):
    total = Counter()
    for word in sorted(set().union(*shards)):
        total[word] = sum(shard.get(word, 0) for shard in shards)
    return [word for word, _ in total.most_common(size)]
