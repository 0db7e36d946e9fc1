"""What changed is named."""

EXPECT = {"18/my_not_restored": "WRONG changed"}


def my_not_restored(before, after, stored):
    return {
        n for n, v in after.items() if not np.array_equal(v, before[n], equal_nan=True)
    }
