"""The shipped code."""

EXPECT = {"10/my_rates": "NOT ATTEMPTED"}


def my_rates(rate, factor, warmup, steps):
    return [factor * rate] * steps
