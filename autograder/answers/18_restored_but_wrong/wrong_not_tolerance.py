"""An absolute tolerance, which is larger than a small value."""

EXPECT = {"18/my_not_restored": "WRONG close"}


def my_not_restored(before, after, stored):
    def near(one, two):
        if one.shape != two.shape:
            return False
        return np.allclose(one, two, rtol=0, atol=1e-8, equal_nan=True)

    return {n for n in after if n not in stored or not near(after[n], stored[n])}
