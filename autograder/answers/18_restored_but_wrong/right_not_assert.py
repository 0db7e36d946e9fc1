"""NumPy's own test function."""

EXPECT = {"18/my_not_restored": "RIGHT"}


def my_not_restored(before, after, stored):
    found = []
    for name in after:
        try:
            np.testing.assert_array_equal(after[name], stored[name], strict=True)
        except (AssertionError, KeyError):
            found.append(name)
    return tuple(found)
