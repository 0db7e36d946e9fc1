"""One name is left out."""

EXPECT = {"16/my_sums": "CRASHED"}


def my_sums(gradients, sum_over_workers):
    return {name: sum_over_workers(gradients[name]) for name in sorted(gradients)[1:]}
