"""The line goes on."""

EXPECT = {"10/my_rates": "WRONG never_stops"}


def my_rates(rate, factor, warmup, steps):
    return [
        rate + rate * (factor - 1) * (s / warmup if warmup else 1) for s in range(steps)
    ]
