"""Not in the file, or as before."""

EXPECT = {"18/my_not_restored": "WRONG kept_or_missing"}


def my_not_restored(before, after, stored):
    return {
        n
        for n, v in after.items()
        if n not in stored or np.array_equal(v, before[n], equal_nan=True)
    }
