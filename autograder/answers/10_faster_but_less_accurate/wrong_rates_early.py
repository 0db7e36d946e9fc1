"""One step early."""

EXPECT = {"10/my_rates": "WRONG one_step_early"}


def my_rates(rate, factor, warmup, steps):
    return [
        rate + rate * (factor - 1) * (min((s + 1) / warmup, 1) if warmup else 1)
        for s in range(steps)
    ]
