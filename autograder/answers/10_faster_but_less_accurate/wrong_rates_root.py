"""The square root rule."""

EXPECT = {"10/my_rates": "WRONG square_root"}


def my_rates(rate, factor, warmup, steps):
    return [
        rate + (rate * factor**0.5 - rate) * (min(s / warmup, 1) if warmup else 1)
        for s in range(steps)
    ]
