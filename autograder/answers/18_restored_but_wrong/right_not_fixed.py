"""The shipped code, mended."""

EXPECT = {"18/my_not_restored": "RIGHT"}


def my_not_restored(before, after, stored):
    found = set()
    for name, value in after.items():
        there = name in stored
        if not there or not np.array_equal(value, stored[name], equal_nan=True):
            found.add(name)
    return found
