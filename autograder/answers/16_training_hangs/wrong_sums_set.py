"""A set of the names."""

EXPECT = {"16/my_sums": "WRONG order_of_a_set"}


def my_sums(gradients, sum_over_workers):
    return {name: sum_over_workers(gradients[name]) for name in set(gradients)}
