"""A NaN is taken for restored."""

import numpy as np

EXPECT = {"18/my_not_restored": "WRONG nan_is_anything"}


def my_not_restored(before, after, stored):
    def same(one, two):
        nan = np.isnan(one).any()
        return one.shape == two.shape and (np.array_equal(one, two) or nan)

    return {n for n, v in after.items() if n not in stored or not same(v, stored[n])}
