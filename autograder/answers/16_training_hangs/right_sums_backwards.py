"""Any order will do that is the same everywhere."""

EXPECT = {"16/my_sums": "RIGHT"}


def my_sums(gradients, sum_over_workers):
    sums = {}
    for name, own in sorted(gradients.items(), key=lambda pair: pair[0], reverse=True):
        sums[name] = sum_over_workers(own)
    return sums
