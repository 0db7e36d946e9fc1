"""A name that is not in the file ends it."""

EXPECT = {"18/my_not_restored": "CRASHED"}


def my_not_restored(before, after, stored):
    return {n for n in after if after[n].tobytes() != stored[n].tobytes()}
