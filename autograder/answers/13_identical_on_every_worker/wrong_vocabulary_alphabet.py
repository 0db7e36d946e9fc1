"""By the alphabet."""

EXPECT = {"13/my_vocabulary": "WRONG by_the_alphabet"}


def my_vocabulary(shards, size):
    return sorted(set().union(*shards))[:size]
