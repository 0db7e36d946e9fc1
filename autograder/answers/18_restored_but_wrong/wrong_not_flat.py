"""The numbers are compared without their shape."""

EXPECT = {"18/my_not_restored": "WRONG flat"}


def my_not_restored(before, after, stored):
    return {
        n
        for n, v in after.items()
        if n not in stored
        or not np.array_equal(v.ravel(), stored[n].ravel(), equal_nan=True)
    }
