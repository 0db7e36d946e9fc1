"""NaN are left out on both sides."""

import numpy as np

EXPECT = {"18/my_not_restored": "WRONG without_nan"}


def my_not_restored(before, after, stored):
    def same(one, two):
        one_without, two_without = one[~np.isnan(one)], two[~np.isnan(two)]
        return one.shape == two.shape and np.array_equal(one_without, two_without)

    return {n for n, v in after.items() if n not in stored or not same(v, stored[n])}
