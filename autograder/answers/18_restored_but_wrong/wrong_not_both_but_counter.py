"""The same, without save_counter."""

EXPECT = {"18/my_not_restored": "WRONG file_too_but_counter"}


def my_not_restored(before, after, stored):
    found = set(after) ^ (set(stored) - {"save_counter"})
    for n in set(after) & set(stored):
        if not np.array_equal(after[n], stored[n], equal_nan=True):
            found.add(n)
    return found
