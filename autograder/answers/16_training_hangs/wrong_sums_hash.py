"""By the names' hashes."""

EXPECT = {"16/my_sums": "WRONG order_of_hashes"}


def my_sums(gradients, sum_over_workers):
    names = sorted(gradients, key=hash)
    return {name: sum_over_workers(gradients[name]) for name in names}
