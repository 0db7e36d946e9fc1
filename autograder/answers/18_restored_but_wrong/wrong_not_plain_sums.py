"""Sums are compared, NaN included."""

EXPECT = {"18/my_not_restored": "WRONG plain_sums"}


def my_not_restored(before, after, stored):
    return {
        n for n, v in after.items() if n not in stored or v.sum() != stored[n].sum()
    }
