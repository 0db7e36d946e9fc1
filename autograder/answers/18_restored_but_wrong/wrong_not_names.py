"""Names only."""

EXPECT = {"18/my_not_restored": "WRONG names_only"}


def my_not_restored(before, after, stored):
    return set(after) - set(stored)
