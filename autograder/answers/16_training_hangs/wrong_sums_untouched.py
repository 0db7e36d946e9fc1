"""The shipped code, renamed."""

EXPECT = {"16/my_sums": "NOT ATTEMPTED"}


def my_sums(gradients, sum_over_workers):
    sums = {}
    for name in gradients:
        sums[name] = sum_over_workers(gradients[name])
    return sums
