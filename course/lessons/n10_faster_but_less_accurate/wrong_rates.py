"""Wrong answers to 10/my_rates: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import wrong_answers


def _line(low: float, high: float, step: int, end: int) -> float:
    """The height of a line from `low` in step 0 to `high` at its `end`; then level."""
    return low + (high - low) * (min(step / end, 1) if end > 0 else 1)


def no_warmup(rate, factor, warmup, steps):
    """The rate is the multiplied one from the first step on. Begin with the rate of
    one device, and go up on a straight line.
    """
    return [rate * factor for _ in range(steps)]


def not_scaled(rate, factor, warmup, steps):
    """The rate is never multiplied. After the warm-up it is factor times the rate
    of one device.
    """
    return [rate] * steps


def from_zero(rate, factor, warmup, steps):
    """The line begins at 0. It begins at the rate of one device."""
    return [_line(0, rate * factor, s, warmup) for s in range(steps)]


def from_zero_one_step_on(rate, factor, warmup, steps):
    """The line begins at 0. It begins at the rate of one device, in step 0."""
    return [_line(0, rate * factor, s + 1, warmup) for s in range(steps)]


def one_step_early(rate, factor, warmup, steps):
    """The whole line is one step early: in step 0 the rate is still that of one
    device.
    """
    return [_line(rate, rate * factor, s + 1, warmup) for s in range(steps)]


def reached_one_step_early(rate, factor, warmup, steps):
    """The multiplied rate is reached one step early: step number `warmup` is the
    first that has it.
    """
    return [_line(rate, rate * factor, s, warmup - 1) for s in range(steps)]


def linspace_over_the_warmup(rate, factor, warmup, steps):
    """The rates of the warm-up end with the multiplied one, so it comes one step
    early: step number `warmup` is the first that has it.
    """
    rising = np.linspace(rate, factor * rate, warmup)
    return [*rising, *[factor * rate] * steps][:steps]


def linspace_not_cut(rate, factor, warmup, steps):
    """The rates of the warm-up end with the multiplied one, so it comes one step
    early. And a warm-up may be longer than the training.
    """
    rising = np.linspace(rate, factor * rate, warmup)
    return [*rising, *[factor * rate] * (steps - warmup)]


def two_levels(rate, factor, warmup, steps):
    """The rate jumps at the end of the warm-up. It is to go up on a straight line."""
    return [rate if s < warmup else rate * factor for s in range(steps)]


def never_stops(rate, factor, warmup, steps):
    """The rate goes on rising after the warm-up. From then on it is constant."""
    return [
        rate + rate * (factor - 1) * (s / warmup if warmup else 1) for s in range(steps)
    ]


def whole_training(rate, factor, warmup, steps):
    """The line goes over the whole training. It ends after `warmup` steps."""
    return np.linspace(rate, rate * factor, steps)


def warmup_squeezed(rate, factor, warmup, steps):
    """Where the training is shorter than the warm-up, the line is squeezed into it.
    Then the multiplied rate is simply not reached.
    """
    warmup = min(warmup, steps - 1)
    return [_line(rate, rate * factor, s, warmup) for s in range(steps)]


def added(rate, factor, warmup, steps):
    """The factor is added. The rule multiplies."""
    return [_line(rate, rate + factor, s, warmup) for s in range(steps)]


def square_root(rate, factor, warmup, steps):
    """The rate is multiplied by the square root of the factor. That is another
    rule; asked is the linear one.
    """
    return [_line(rate, rate * factor**0.5, s, warmup) for s in range(steps)]


def warmup_and_then_steps(rate, factor, warmup, steps):
    """There are too many rates: the warm-up belongs to the steps."""
    rise = [rate + rate * (factor - 1) * s / warmup for s in range(warmup)]
    return rise + [rate * factor] * steps


MISTAKES = wrong_answers(__name__)
