"""Nothing is ever found."""

EXPECT = {"18/my_not_restored": "WRONG never"}


def my_not_restored(before, after, stored):
    return set()
