"""Further 2: how many replicas are worth having, by the costs of a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n11_faster_but_less_accurate.step_costs import Costs
from course.lessons.n11_faster_but_less_accurate.wrong_useful_replicas import MISTAKES


@dataclass(frozen=True)
class Case:
    """A call: costs, rows in a step, and the largest number of replicas."""

    costs: Costs
    batch: int
    most: int

    def __str__(self) -> str:
        c = self.costs
        return (
            f"fixed {c.fixed:g} ms, {c.row:g} ms a row, exchange {c.exchange:g} ms, "
            f"batch {self.batch}, at most {self.most} replicas"
        )


def step_ms(case: Case, n: int) -> float:
    """Return the ms of a step on `n` replicas: the largest share, and the exchange."""
    rows = -(-case.batch // n)
    return case.costs.fixed + case.costs.row * rows + case.costs.exchange * (n - 1)


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw costs of five kinds: few replicas pay, or all, or none but the first."""
    kinds = (
        # exchange as a share of the rows' work, most
        ((0.01, 0.03), 12),
        ((0.05, 0.09), 8),
        ((0.0, 0.0), 9),
        ((0.8, 1.2), 8),
        ((0.004, 0.006), 4),
    )
    cases = []
    for (low, high), most in kinds:
        # without an exchange, the last two numbers of replicas are equally good
        batch = int(rng.choice([19, 22, 23, 29] if high == 0 else [17, 19, 22, 26]))
        row = float(rng.integers(10, 40)) / 10
        exchange = round(float(rng.uniform(low, high)) * row * batch, 2)
        cases.append(
            Case(Costs(float(rng.integers(20, 60)), row, exchange), batch, most)
        )
    return cases


def _observe(function: Callable, case: Case) -> Observation:
    c = case.costs
    answer = function(c.fixed, c.row, c.exchange, case.batch, case.most)
    try:
        number, ms = (float(part) for part in answer)
    except (TypeError, ValueError):
        number = 0.5
    if number != int(number):
        raise WrongReturn.of(answer, "(replicas, ms), a whole number and a number")
    return Observation(np.array([ms]), {"replicas": (int(number),)})


def _expect(case: Case) -> Observation:
    times = [step_ms(case, n) for n in range(1, case.most + 1)]
    return Observation(
        np.array([min(times)]), {"replicas": (times.index(min(times)) + 1,)}
    )


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    n, ms = got.counts["replicas"][0], float(got.values[0])
    wanted = truth.counts["replicas"][0]
    own = step_ms(case, n) if 1 <= n <= case.most else None
    said = f"It returned {n} replica{'s' * (n != 1)} and {ms:g} ms."
    if n == wanted:
        said += " The replicas are right, but the ms are not."
    elif own is None:
        said += f" The number of replicas must be from 1 to {case.most}."
    elif abs(own - truth.values[0]) <= 1e-5:
        said += f" With {wanted} the step is as short."
        said += "" if abs(ms - own) <= 1e-5 else f" (It takes {own:g} ms.)"
    elif abs(ms - own) <= 1e-5:
        said += " A step does take that long with them, but another number is faster."
    else:
        said += f" The number is wrong; with it, a step takes {own:g} ms."
    return Difference(
        said,
        "Expected the smallest number of replicas with the shortest step, and its ms: "
        "the fixed part, the rows of the largest share, and the exchange for each "
        "replica beyond the first.",
    )


MY_USEFUL_REPLICAS = Exercise(
    name="11/my_useful_replicas",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="The smallest number of replicas with the shortest step, for costs of five "
    "kinds.",
)
