"""Small gradients are not sent: not all enter the call."""

EXPECT = {"16/my_sums": "WRONG"}


def my_sums(gradients, sum_over_workers):
    sums = dict(gradients)
    for name in sorted(gradients):
        if name != min(gradients, key=lambda n: abs(gradients[n]).sum()):
            sums[name] = sum_over_workers(gradients[name])
    return sums
