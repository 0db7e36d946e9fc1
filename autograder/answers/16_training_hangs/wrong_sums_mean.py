"""Divided by the number of workers."""

EXPECT = {"16/my_sums": "WRONG mean"}


def my_sums(gradients, sum_over_workers):
    return {name: sum_over_workers(gradients[name]) / 3 for name in sorted(gradients)}
