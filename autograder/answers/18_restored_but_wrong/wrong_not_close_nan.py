"""Nearly equal, and NaN unequal."""

EXPECT = {"18/my_not_restored": "WRONG close_and_nan"}


def my_not_restored(before, after, stored):
    found = set()
    for n, v in after.items():
        s = stored.get(n)
        if s is None or s.shape != v.shape or not np.allclose(v, s):
            found.add(n)
    return found
