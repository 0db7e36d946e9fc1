"""Step by step."""

EXPECT = {"10/my_rates": "RIGHT"}


def my_rates(rate, factor, warmup, steps):
    rates = []
    for step in range(steps):
        way = min(step / warmup, 1.0) if warmup else 1.0
        rates.append(rate + (factor * rate - rate) * way)
    return rates
