"""A short training squeezes the line."""

EXPECT = {"10/my_rates": "WRONG warmup_squeezed"}


def my_rates(rate, factor, warmup, steps):
    warmup = min(warmup, steps - 1)
    return [
        rate + rate * (factor - 1) * (min(s / warmup, 1) if warmup else 1)
        for s in range(steps)
    ]
