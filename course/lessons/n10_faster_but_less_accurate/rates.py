"""Further 1: learning rates of the linear rule, with a warm-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n10_faster_but_less_accurate.wrong_rates import MISTAKES


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


def _expect(case: Case) -> Observation:
    ways = [min(k / case.warmup, 1) if case.warmup else 1 for k in range(case.steps)]
    rates = [case.rate * (1 + (case.factor - 1) * way) for way in ways]
    return _observation(case, rates)


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


MY_RATES = Exercise(
    name="10/my_rates",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Every step has its rate: a straight line over the warm-up, then the "
    "multiplied rate.",
)
