"""The factor is added."""

EXPECT = {"10/my_rates": "WRONG added"}


def my_rates(rate, factor, warmup, steps):
    return [rate + factor * (min(s / warmup, 1) if warmup else 1) for s in range(steps)]
