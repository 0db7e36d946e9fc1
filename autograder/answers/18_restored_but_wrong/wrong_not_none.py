"""The return is forgotten."""

EXPECT = {"18/my_not_restored": "CRASHED"}


def my_not_restored(before, after, stored):
    found = set()
    for name in after:
        if name not in stored:
            found.add(name)
