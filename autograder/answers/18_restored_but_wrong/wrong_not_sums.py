"""Sums are compared."""

EXPECT = {"18/my_not_restored": "WRONG sums"}


def my_not_restored(before, after, stored):
    def total(values):
        return np.nansum(values, dtype="float64")

    return {
        n
        for n in after
        if n not in stored or abs(total(after[n]) - total(stored[n])) > 1e-6
    }
