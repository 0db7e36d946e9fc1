"""What only the file has is named, too."""

EXPECT = {"18/my_not_restored": "WRONG file_too"}


def my_not_restored(before, after, stored):
    same = {
        n
        for n in set(after) & set(stored)
        if np.array_equal(after[n], stored[n], equal_nan=True)
    }
    return (set(after) | set(stored)) - same
