"""Notebook 00: one logged loss, different weights; how large is the spread?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.exercises import (
    Difference,
    Exercise,
    Mistake,
    Observation,
    Option,
    Prediction,
)


@dataclass(frozen=True)
class Copies:
    """What every replica holds: float64, shape (replicas, weights)."""

    values: np.ndarray
    trait: str

    def __str__(self) -> str:
        replicas, weights = self.values.shape
        return f"{replicas} copies of {weights} weights ({self.trait})"


def draw(rng: np.random.Generator) -> list[Copies]:
    """Draw copies whose two furthest are the first, the middle, and the last."""
    base = rng.normal(size=3)
    cases = []
    for replicas, odd, even in ((4, 2, 1), (3, 0, 1), (2, 1, 0)):
        values = base + 0.01 * rng.normal(size=(replicas, 3))
        at = int(rng.integers(3))
        values[odd, at] -= rng.uniform(0.5, 0.9)
        values[even, at] += rng.uniform(0.2, 0.4)
        cases.append(Copies(values, "two of them far apart"))
    # no copy holds both the smallest and the largest of all numbers
    apart = np.array([[0.0, 1.0], [0.2, 1.1], [0.1, 1.3]]) * rng.uniform(0.5, 2.0)
    cases.append(Copies(apart, "weights of different size"))
    cases.append(Copies(np.tile(base, (4, 1)), "all equal"))
    return cases


def _pairs(copies: Copies) -> list[np.ndarray]:
    return [np.abs(a - b) for a, b in combinations(copies.values, 2)]


def spread(copies: Copies) -> float:
    """Return the largest difference in one weight between any two copies."""
    return float(max(pair.max() for pair in _pairs(copies)))


def _observe(function: Callable, copies: Copies) -> Observation:
    result = function(copies.values.copy())
    if result is None or isinstance(result, str) or np.shape(result) != ():
        raise TypeError(f"the function returned {result!r}; it must return one number")
    return Observation(np.asarray(result, dtype=np.float64))


def _compare(copies: Copies, got: Observation, truth: Observation) -> Difference:
    return Difference(
        f"It returned {float(got.values):.4g}.",
        f"Expected {float(truth.values):.4g}, the largest difference in one weight "
        "between any two of the copies.",
    )


def _mistake(code: str, value: Callable[[Copies], float], cause: str) -> Mistake:
    return Mistake(code, cause, lambda copies: Observation(np.asarray(value(copies))))


SPREAD = Exercise(
    name="00/my_spread",
    cases=draw,
    observe=_observe,
    expect=lambda copies: Observation(np.asarray(spread(copies))),
    compare=_compare,
    mistakes=(
        _mistake(
            "first_and_last",
            lambda c: np.abs(c.values[0] - c.values[-1]).max(),
            "it compares the first and the last copy only. The two that are furthest "
            "apart may be others.",
        ),
        _mistake(
            "against_copy_0",
            lambda c: np.abs(c.values - c.values[0]).max(),
            "it compares every copy with copy 0. Two other copies may be further "
            "apart: one above copy 0, one below.",
        ),
        _mistake(
            "weights_mixed",
            lambda c: c.values.max() - c.values.min(),
            "it subtracts the smallest of all numbers from the largest, across "
            "different weights. Compare each weight with itself: axis=0.",
        ),
        _mistake(
            "across_weights",
            lambda c: np.ptp(c.values, axis=1).max(),
            "it compares the weights within a copy. The replicas are axis 0.",
        ),
        _mistake(
            "mean_not_largest",
            lambda c: np.ptp(c.values, axis=0).mean(),
            "it averages over the weights. One weight that is off would hide among "
            "many that agree: take the largest.",
        ),
        _mistake(
            "smallest_not_largest",
            lambda c: np.ptp(c.values, axis=0).min(),
            "it takes the smallest difference. Asked is the largest.",
        ),
    ),
    right="Right on five sets of copies, one of them with equal copies.",
)

EXERCISES = (SPREAD,)

PREDICTION = Prediction(
    number="00",
    question=(
        "fit trained one model on the same 22 rows on 1, 2 and 4 devices, and logged "
        "the same loss three times. Which run ended with other weights than 1 device?"
    ),
    options={
        "A": Option(
            "None: the same loss means the same weights.",
            "The loss of an epoch is measured before its last step, so it cannot see "
            "what that step did.",
        ),
        "B": Option(
            "Both parallel runs, a little: floating point never repeats exactly.",
            "Float noise is near 1e-7. The gap here is a hundred thousand times that.",
        ),
        "C": Option(
            "Only the run on 4 devices.",
            "22 rows make batches of 8, 8 and 6. Two replicas share 6 rows evenly; "
            "among four, one gets none.",
        ),
        "D": Option(
            "Both parallel runs: more devices, more difference.",
            "Two devices agree with one: what counts is how the rows divide.",
        ),
    },
    answer="C",
)
