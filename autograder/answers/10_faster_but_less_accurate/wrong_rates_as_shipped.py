"""No warm-up, written in another way."""

EXPECT = {"10/my_rates": "WRONG no_warmup"}


def my_rates(rate, factor, warmup, steps):
    return [rate * factor for _ in range(steps)]
