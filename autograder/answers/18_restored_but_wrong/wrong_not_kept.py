"""The same, written otherwise."""

EXPECT = {"18/my_not_restored": "WRONG kept"}


def my_not_restored(before, after, stored):
    return {n for n in after if np.array_equal(after[n], before[n], equal_nan=True)}
