"""The line begins at 0."""

EXPECT = {"10/my_rates": "WRONG from_zero"}


def my_rates(rate, factor, warmup, steps):
    return [rate * factor * (min(s / warmup, 1) if warmup else 1) for s in range(steps)]
