"""A warm-up of 0 divides by 0."""

EXPECT = {"10/my_rates": "CRASHED"}


def my_rates(rate, factor, warmup, steps):
    return [rate + rate * (factor - 1) * min(s / warmup, 1) for s in range(steps)]
