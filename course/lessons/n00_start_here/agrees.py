"""The exercise: predict whether a run of `fit` ends with one device's weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n00_start_here.wrong_agrees import MISTAKES

RUNS = 16  # in each case


@dataclass(frozen=True)
class Fits:
    """Runs of `fit` on the same number of devices: (rows, global batch) of each."""

    devices: int
    runs: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        return f"{len(self.runs)} runs on {self.devices} devices"


def same_weights(rows: int, batch: int, devices: int) -> bool:
    """Return whether `fit` ends with the weights of one device (to 1e-5).

    It does where each replica gets as many rows as any other, in every batch. The
    batch divides by the devices, so only the last batch can fail. (Shown by runs of
    fit in this failure's tests.)
    """
    return rows % batch % devices == 0


def draw(rng: np.random.Generator) -> list[Fits]:
    """Draw runs in which every known mistake answers something else."""

    def answers(cases: list[Fits]) -> list:
        functions = (same_weights, *MISTAKES)
        return [
            [_observe(f, case).values.tolist() for case in cases] for f in functions
        ]

    def candidates() -> list[Fits]:
        return [_fits(rng, devices) for devices in (4, 2, 3)]

    return drawn_apart("00/my_agrees", candidates, answers)


def _fits(rng: np.random.Generator, devices: int) -> Fits:
    runs: list[tuple[int, int]] = []
    while len(runs) < RUNS:
        batch = devices * int(rng.integers(2, 6))
        rows = int(rng.integers(batch, 70))
        # as many runs that agree as others
        wanted = len(runs) % 2 == 0
        if same_weights(rows, batch, devices) == wanted and (rows, batch) not in runs:
            runs.append((rows, batch))
    return Fits(devices, tuple(runs[i] for i in rng.permutation(RUNS)))


def _observe(function: Callable, case: Fits) -> Observation:
    said = [function(rows, batch, case.devices) for rows, batch in case.runs]
    for each in said:
        if not isinstance(each, bool | np.bool_):
            raise WrongReturn.of(each, "True or False")
    return Observation(np.array(said, np.float64))


def _compare(case: Fits, got: Observation, truth: Observation) -> Difference:
    wrong = np.flatnonzero(got.values != truth.values)
    rows, batch = case.runs[wrong[0]]
    returned, expected = bool(got.values[wrong[0]]), bool(truth.values[wrong[0]])
    ends = "the weights of" if expected else "other weights than"
    return Difference(
        f"It was wrong about {len(wrong)} of {len(case.runs)} runs. One of them: "
        f"my_agrees({rows}, {batch}, {case.devices}) returned {returned}.",
        f"Expected {expected}: with {rows} rows in batches of {batch}, fit on "
        f"{case.devices} devices ends with {ends} one device.",
    )


AGREES = Exercise(
    name="00/my_agrees",
    cases=draw,
    observe=_observe,
    expect=lambda case: _observe(same_weights, case),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right=f"Right about {RUNS} runs on each of 2, 3 and 4 devices.",
)
