"""The rate of one device."""

EXPECT = {"10/my_rates": "WRONG not_scaled"}


def my_rates(rate, factor, warmup, steps):
    return [rate] * steps
