"""The warm-up comes before the steps."""

EXPECT = {"10/my_rates": "WRONG warmup_and_then_steps"}


def my_rates(rate, factor, warmup, steps):
    rise = [rate + rate * (factor - 1) * s / warmup for s in range(warmup)]
    return rise + [rate * factor] * steps
