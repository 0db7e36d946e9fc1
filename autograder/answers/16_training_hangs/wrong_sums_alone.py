"""Nothing is summed."""

EXPECT = {"16/my_sums": "WRONG alone"}


def my_sums(gradients, sum_over_workers):
    return dict(gradients)
