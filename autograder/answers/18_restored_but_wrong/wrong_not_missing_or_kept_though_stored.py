"""Not in the file; or as before, and not the file's."""

EXPECT = {"18/my_not_restored": "WRONG kept_though_stored_or_missing"}


def my_not_restored(before, after, stored):
    def same(one, two):
        return np.array_equal(one, two, equal_nan=True)

    return {
        n
        for n, v in after.items()
        if n not in stored or (same(v, before[n]) and not same(v, stored[n]))
    }
