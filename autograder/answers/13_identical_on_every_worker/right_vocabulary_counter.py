"""Counters are added."""

from collections import Counter

EXPECT = {"13/my_vocabulary": "RIGHT"}


def my_vocabulary(shards, size):
    total = sum(map(Counter, shards), Counter())
    pairs = sorted((-count, word) for word, count in total.items())
    return tuple(word for _, word in pairs[:size])
