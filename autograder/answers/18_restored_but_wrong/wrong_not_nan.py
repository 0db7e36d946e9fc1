"""NaN is not equal to NaN."""

EXPECT = {"18/my_not_restored": "WRONG nan"}


def my_not_restored(before, after, stored):
    return {
        n for n in after if n not in stored or not np.array_equal(after[n], stored[n])
    }
