"""Pairs of words and counts."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "CRASHED"}


def my_vocabulary(shards, size):
    return Counter(shards[0]).most_common(size)
