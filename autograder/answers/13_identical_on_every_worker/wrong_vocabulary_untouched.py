"""The shipped code, renamed."""

EXPECT = {"13/my_vocabulary": "NOT ATTEMPTED"}


def my_vocabulary(shards, size):
    counts = shards[0]
    return sorted(counts, key=lambda word: (-counts[word], word))[:size]
