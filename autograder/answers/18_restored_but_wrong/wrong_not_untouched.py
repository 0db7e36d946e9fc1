"""The shipped code, renamed."""

EXPECT = {"18/my_not_restored": "NOT ATTEMPTED"}


def my_not_restored(before, after, stored):
    found = set()
    for name, value in after.items():
        if np.array_equal(value, before[name], equal_nan=True):
            found.add(name)
    return found
