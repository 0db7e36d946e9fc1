"""One number."""

EXPECT = {"10/my_rates": "CRASHED"}


def my_rates(rate, factor, warmup, steps):
    return rate * factor
