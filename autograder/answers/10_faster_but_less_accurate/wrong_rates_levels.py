"""A jump."""

EXPECT = {"10/my_rates": "WRONG two_levels"}


def my_rates(rate, factor, warmup, steps):
    return [rate if s < warmup else rate * factor for s in range(steps)]
