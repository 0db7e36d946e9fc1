"""The order of readiness, backwards."""

EXPECT = {"16/my_sums": "WRONG order_of_readiness"}


def my_sums(gradients, sum_over_workers):
    return {name: sum_over_workers(gradients[name]) for name in reversed(gradients)}
