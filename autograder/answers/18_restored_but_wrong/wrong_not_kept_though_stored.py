"""Kept, and another value in the file."""

EXPECT = {"18/my_not_restored": "WRONG kept_though_stored"}


def my_not_restored(before, after, stored):
    def same(one, two):
        return np.array_equal(one, two, equal_nan=True)

    return {
        n
        for n in after
        if same(after[n], before[n]) and not (n in stored and same(after[n], stored[n]))
    }
