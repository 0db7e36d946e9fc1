"""Those that were restored."""

EXPECT = {"18/my_not_restored": "WRONG the_others"}


def my_not_restored(before, after, stored):
    return {
        n
        for n in after
        if n in stored and np.array_equal(after[n], stored[n], equal_nan=True)
    }
