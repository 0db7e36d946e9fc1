"""Short names first."""

EXPECT = {"16/my_sums": "WRONG by_length"}


def my_sums(gradients, sum_over_workers):
    names = sorted(gradients, key=len)
    return {name: sum_over_workers(gradients[name]) for name in names}
