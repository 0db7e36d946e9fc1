"""Further exercise: the largest difference in one weight between any two replicas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.checks.apart import told_apart
from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n00_start_here.wrong_spread import MISTAKES


@dataclass(frozen=True)
class Copies:
    """What every replica holds: float64, shape (replicas, weights)."""

    values: np.ndarray
    trait: str

    def __str__(self) -> str:
        replicas, weights = self.values.shape
        return f"{replicas} copies of {weights} weights ({self.trait})"


def draw(rng: np.random.Generator) -> list[Copies]:
    """Draw copies whose two furthest are no neighbours at first, in the last weight."""
    base = rng.normal(size=4)
    cases = []
    for replicas, odd, even, at in ((5, 3, 1, 3), (3, 0, 1, 1), (2, 1, 0, 0)):
        values = base + 0.01 * rng.normal(size=(replicas, len(base)))
        values[odd, at] -= rng.uniform(0.5, 0.9)
        values[even, at] += rng.uniform(0.2, 0.4)
        values[0, at] -= 0.06  # further from the highest, nearer to the lowest
        cases.append(Copies(values, "two of them far apart"))
    # no copy holds both the smallest and the largest of all numbers
    apart = np.array([[0.0, 1.0], [0.2, 1.1], [0.1, 1.3]]) * rng.uniform(0.5, 2.0)
    cases.append(Copies(apart, "weights of different size"))
    cases.append(Copies(np.tile(base, (4, 1)), "all equal"))
    return cases


def spread(copies: Copies) -> float:
    """Return the largest difference in one weight between any two copies."""
    return max(float(np.abs(a - b).max()) for a, b in combinations(copies.values, 2))


def _observe(function: Callable, copies: Copies) -> Observation:
    result = function(copies.values.copy())
    if result is None or isinstance(result, str) or np.shape(result) != ():
        raise WrongReturn.of(result, "one number")
    return Observation(np.asarray(result, dtype=np.float64))


def _compare(copies: Copies, got: Observation, truth: Observation) -> Difference:
    came, wanted = told_apart(got.values, truth.values)
    return Difference(
        f"It returned {came}.",
        f"Expected {wanted}, the largest difference in one weight "
        "between any two of the copies.",
    )


SPREAD = Exercise(
    name="00/my_spread",
    cases=draw,
    observe=_observe,
    expect=lambda copies: Observation(np.asarray(spread(copies))),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on five sets of copies, one of them with equal copies.",
)
