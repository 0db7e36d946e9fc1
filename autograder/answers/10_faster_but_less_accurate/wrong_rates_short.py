"""The multiplied rate comes one step early."""

EXPECT = {"10/my_rates": "WRONG reached_one_step_early"}


def my_rates(rate, factor, warmup, steps):
    return [
        rate + rate * (factor - 1) * (min(s / (warmup - 1), 1) if warmup > 1 else 1)
        for s in range(steps)
    ]
