"""One name instead of a set."""

EXPECT = {"18/my_not_restored": "CRASHED"}


def my_not_restored(before, after, stored):
    for name in after:
        if name not in stored:
            return name
    return set()
