"""Answers to 10/my_rates, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right


@right
def interp(rate, factor, warmup, steps):
    """NumPy's interpolation."""
    if warmup == 0:
        return np.full(steps, rate * factor)
    return np.interp(np.arange(steps), [0, warmup], [rate, rate * factor])


@right
def joined(rate, factor, warmup, steps):
    """A line and a constant, joined and cut."""
    rise = np.linspace(rate, rate * factor, warmup + 1)[:-1].tolist()
    return (rise + [rate * factor] * steps)[:steps]


@right
def linspace(rate, factor, warmup, steps):
    """One point more than the warm-up has steps, cut to the training."""
    rising = np.linspace(rate, factor * rate, warmup + 1)[warmup == 0 :]
    return np.append(rising, [factor * rate] * steps)[:steps]


@right
def loop(rate, factor, warmup, steps):
    """Step by step."""
    rates = []
    for step in range(steps):
        way = min(step / warmup, 1.0) if warmup else 1.0
        rates.append(rate + (factor * rate - rate) * way)
    return rates


@crashed
def division(rate, factor, warmup, steps):
    """A warm-up of 0 divides by 0."""
    return [rate + rate * (factor - 1) * min(s / warmup, 1) for s in range(steps)]


@crashed
def number(rate, factor, warmup, steps):
    """One number."""
    return rate * factor
