"""The line begins at 0, a step before."""

EXPECT = {"10/my_rates": "WRONG from_zero_one_step_on"}


def my_rates(rate, factor, warmup, steps):
    return [
        rate * factor * (min((s + 1) / warmup, 1) if warmup else 1)
        for s in range(steps)
    ]
