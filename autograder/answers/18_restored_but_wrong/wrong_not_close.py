"""Nearly equal is taken for equal."""

EXPECT = {"18/my_not_restored": "WRONG close"}


def my_not_restored(before, after, stored):
    def near(one, two):
        return one.shape == two.shape and np.allclose(one, two, equal_nan=True)

    return {n for n in after if n not in stored or not near(after[n], stored[n])}
