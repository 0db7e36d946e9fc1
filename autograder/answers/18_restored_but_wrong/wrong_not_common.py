"""Only names that both have."""

EXPECT = {"18/my_not_restored": "WRONG common_only"}


def my_not_restored(before, after, stored):
    both = set(after) & set(stored)
    return {n for n in both if not np.array_equal(after[n], stored[n], equal_nan=True)}
