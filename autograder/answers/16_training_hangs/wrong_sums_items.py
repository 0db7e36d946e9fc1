"""The shipped code in other words."""

EXPECT = {"16/my_sums": "WRONG order_of_readiness"}


def my_sums(gradients, sum_over_workers):
    return {name: sum_over_workers(own) for name, own in gradients.items()}
