"""A list instead of a dictionary."""

EXPECT = {"16/my_sums": "CRASHED"}


def my_sums(gradients, sum_over_workers):
    return [sum_over_workers(gradients[name]) for name in sorted(gradients)]
