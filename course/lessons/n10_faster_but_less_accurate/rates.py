"""Further 1: learning rates of the linear rule, with a warm-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation


@dataclass(frozen=True)
class Case:
    """A call: rate of one device, factor of the batch, steps to warm up, all steps."""

    rate: float
    factor: int
    warmup: int
    steps: int

    def __str__(self) -> str:
        return (
            f"rate {self.rate:g}, factor {self.factor}, warmup {self.warmup}, "
            f"{self.steps} steps"
        )


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw warm-ups that are shorter than the training, longer, of 1 step and none."""
    cases = []
    for warmup, steps in ((5, 9), (0, 4), (1, 5), (7, 4)):
        rate = float(rng.integers(11, 40)) / 100
        warmup += int(rng.integers(0, 3)) * (warmup > 1)
        # an equal factor would make two lines from other points alike
        factor = int(rng.choice([f for f in range(2, 9) if f != warmup]))
        cases.append(Case(rate, factor, warmup, steps + int(rng.integers(0, 2))))
    return cases


def _observe(function: Callable, case: Case) -> Observation:
    answer = function(case.rate, case.factor, case.warmup, case.steps)
    try:
        if isinstance(answer, str | bytes):
            raise TypeError
        rates = np.asarray(answer, np.float64)
    except (TypeError, ValueError):
        rates = np.array(None, object)
    if rates.dtype == object or rates.ndim != 1:
        raise TypeError(
            f"the function returned {answer!r}; it must return a list of numbers, one "
            "learning rate for each step"
        )
    return _observation(case, rates)


def _observation(case: Case, rates: Sequence[float]) -> Observation:
    """Values: the rates, cut or filled up to the right number; counts: how many."""
    values = np.full(case.steps, -1.0)
    n = min(case.steps, len(rates))
    values[:n] = np.asarray(rates, np.float64)[:n]
    return Observation(values, {"steps": (len(rates),)})


def _line(
    case: Case, first: float, last: float, warmup: float, begin: float = 0
) -> list[float]:
    """From `first` at step `begin` to `last` after `warmup` more, then constant."""
    rates = []
    for step in range(case.steps):
        way = (step - begin) / warmup if warmup > 0 else 1.0
        rates.append(first + (last - first) * min(max(way, 0.0), 1.0))
    return rates


def _right(case: Case) -> list[float]:
    return _line(case, case.rate, case.rate * case.factor, case.warmup)


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    number = got.counts["steps"][0]
    if number != case.steps:
        return Difference(
            f"It returned {number} rates.", f"Expected {case.steps}, one for each step."
        )
    step = int(np.flatnonzero(np.abs(got.values - truth.values) > 1e-5)[0])
    return Difference(
        f"The first wrong rate is {got.values[step]:.4g}, in step {step}.",
        f"Expected {truth.values[step]:.4g} there.",
    )


def _mistake(code: str, rates: Callable[[Case], list[float]], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _observation(case, rates(case)))


def _linspace(case: Case) -> list[float]:
    """As many rates up to the multiplied one as the warm-up has steps, then that."""
    top = case.rate * case.factor
    rising = np.linspace(case.rate, top, case.warmup).tolist()
    return rising + [top] * (case.steps - case.warmup)


def _constant(case: Case, rate: float) -> list[float]:
    return [rate] * case.steps


MY_RATES = Exercise(
    name="10/my_rates",
    cases=draw,
    observe=_observe,
    expect=lambda case: _observation(case, _right(case)),
    compare=_compare,
    mistakes=(
        _mistake(
            "no_warmup",
            lambda case: _constant(case, case.rate * case.factor),
            "the rate is the multiplied one from the first step on. Begin with the "
            "rate of one device, and go up on a straight line.",
        ),
        _mistake(
            "not_scaled",
            lambda case: _constant(case, case.rate),
            "the rate is never multiplied. After the warm-up it is factor times the "
            "rate of one device.",
        ),
        _mistake(
            "from_zero",
            lambda case: _line(case, 0.0, case.rate * case.factor, case.warmup),
            "the line begins at 0. It begins at the rate of one device.",
        ),
        _mistake(
            "from_zero_one_step_on",
            lambda case: _line(case, 0.0, case.rate * case.factor, case.warmup, -1),
            "the line begins at 0. It begins at the rate of one device, in step 0.",
        ),
        _mistake(
            "one_step_early",
            lambda case: _line(
                case, case.rate, case.rate * case.factor, case.warmup, -1
            ),
            "the whole line is one step early: in step 0 the rate is still that of one "
            "device.",
        ),
        _mistake(
            "reached_one_step_early",
            lambda case: _line(
                case, case.rate, case.rate * case.factor, case.warmup - 1
            ),
            "the multiplied rate is reached one step early: step number `warmup` is "
            "the first that has it.",
        ),
        _mistake(
            "linspace_over_the_warmup",
            lambda case: _linspace(case)[: case.steps],
            "the rates of the warm-up end with the multiplied one, so it comes one "
            "step early: step number `warmup` is the first that has it.",
        ),
        _mistake(
            "linspace_not_cut",
            _linspace,
            "the rates of the warm-up end with the multiplied one, so it comes one "
            "step early. And a warm-up may be longer than the training.",
        ),
        _mistake(
            "two_levels",
            lambda case: [
                case.rate * (1 if step < case.warmup else case.factor)
                for step in range(case.steps)
            ],
            "the rate jumps at the end of the warm-up. It is to go up on a straight "
            "line.",
        ),
        _mistake(
            "never_stops",
            lambda case: [
                case.rate
                + case.rate
                * (case.factor - 1)
                * step
                / max(case.warmup, 1)
                * (case.warmup > 0)
                + case.rate * (case.factor - 1) * (case.warmup == 0)
                for step in range(case.steps)
            ],
            "the rate goes on rising after the warm-up. From then on it is constant.",
        ),
        _mistake(
            "whole_training",
            lambda case: _line(
                case, case.rate, case.rate * case.factor, max(case.steps - 1, 1)
            ),
            "the line goes over the whole training. It ends after `warmup` steps.",
        ),
        _mistake(
            "warmup_squeezed",
            lambda case: _line(
                case,
                case.rate,
                case.rate * case.factor,
                min(case.warmup, case.steps - 1),
            ),
            "where the training is shorter than the warm-up, the line is squeezed into "
            "it. Then the multiplied rate is simply not reached.",
        ),
        _mistake(
            "added",
            lambda case: _line(case, case.rate, case.rate + case.factor, case.warmup),
            "the factor is added. The rule multiplies.",
        ),
        _mistake(
            "square_root",
            lambda case: _line(
                case, case.rate, case.rate * case.factor**0.5, case.warmup
            ),
            "the rate is multiplied by the square root of the factor. That is another "
            "rule; asked is the linear one.",
        ),
        _mistake(
            "warmup_and_then_steps",
            lambda case: [
                *_right(Case(case.rate, case.factor, case.warmup, case.warmup)),
                *_constant(case, case.rate * case.factor),
            ],
            "there are too many rates: the warm-up belongs to the steps.",
        ),
    ),
    right="Every step has its rate: a straight line over the warm-up, then the "
    "multiplied rate.",
)
