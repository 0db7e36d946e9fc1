"""Sorted, and put under the names as they came."""

EXPECT = {"16/my_sums": "WRONG names_lost"}


def my_sums(gradients, sum_over_workers):
    sums = [sum_over_workers(gradients[name]) for name in sorted(gradients)]
    return dict(zip(gradients, sums, strict=False))
