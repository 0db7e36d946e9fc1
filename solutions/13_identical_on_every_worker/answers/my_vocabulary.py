"""Answers to 13/my_vocabulary, right and wrong, and what the check says of each."""

from collections import Counter

from autograder.answers import crashed, right


@right
def counter(shards, size):
    """Counters are added."""
    total = sum(map(Counter, shards), Counter())
    pairs = sorted((-count, word) for word, count in total.items())
    return tuple(word for _, word in pairs[:size])


@right
def loop(shards, size):
    """A loop adds up."""
    counts = {}
    for shard in shards:
        for word, count in shard.items():
            counts[word] = counts.get(word, 0) + count
    return sorted(sorted(counts), key=counts.get, reverse=True)[:size]


@right
def most_common(shards, size):
    """most_common, after the alphabet."""
    total = Counter()
    for word in sorted(set().union(*shards)):
        total[word] = sum(shard.get(word, 0) for shard in shards)
    return [word for word, _ in total.most_common(size)]


@crashed
def vocabulary_pairs(shards, size):
    """Pairs of words and counts."""
    return Counter(shards[0]).most_common(size)
