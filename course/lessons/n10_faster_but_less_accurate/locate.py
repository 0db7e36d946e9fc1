"""Locate: which training of one device is this run, and how closely?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.places import Place
from course.stepping import Job, each, follow, mean_gradient
from course.workloads import Rows, regression

PLACE = Place(("batch",), ("gap",))
EQUAL = 0.01  # runs are saved with two decimals, so they are off by up to 0.005
BATCHES = (4, 8, 16, 32)
TELLING = (
    3e-4  # two ways to measure a gap must be so far apart, else cases tell nothing
)


@dataclass(frozen=True, eq=False)
class Case:
    """A run, and sequential ones that it may be.

    label: what kind of run it is.
    run: weights at the start and after each step, (steps + 1, 2).
    alone: batch -> the same of one device with this batch, for one epoch.
    """

    label: str
    run: np.ndarray
    alone: Mapping[int, np.ndarray]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.run) - 1} steps)"


def train(rows: Rows, batch: int, rate: float) -> np.ndarray:
    """Return the weights at the start and after each step of one epoch."""

    def step(copies, shards):
        return copies - rate * each(mean_gradient, copies, shards)

    return follow(step, Job(rows, batch, 1, len(rows.batches(batch)))).copies[:, 0]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw runs that equal one of the trainings, for a while or not at all."""
    while True:
        cases = _some_cases(rng)
        above, below = (_gaps(cases[i]) for i in (0, -1))
        if (
            _tells(*above)
            and _tells(*below, sign=-1)
            and all(_fits(case, 2 * EQUAL) < 2 for case in cases)
        ):
            return cases


def _fits(case: Case, distance: float) -> int:
    """Return how many trainings stay within `distance` of the run."""
    return sum(gap(case.run, weights) < distance for weights in case.alone.values())


def _some_cases(rng: np.random.Generator) -> list[Case]:
    rate = float(rng.uniform(0.04, 0.08))
    rows = regression(int(rng.integers(66, 72)), int(rng.integers(1000)))
    alone = {int(b): train(rows, int(b), rate) for b in rng.permutation(BATCHES)}
    small, middle, large = (int(b) for b in np.sort(rng.permutation(BATCHES)[:3]))
    stopped = alone[small][: int(rng.integers(4, 6))]
    crooked = alone[middle].copy()
    at = int(rng.integers(2, len(crooked) - 1))
    crooked[at] += rng.choice((-1, 1)) * rng.uniform(0.05, 0.1)  # and comes back
    turns = alone[large].copy()
    turns[-1] += rng.choice((-1, 1), 2) * rng.uniform(0.03, 0.05)
    far = train(rows, middle, rate * rng.uniform(1.2, 1.4))
    runs = {
        "a run with one of these batches": alone[large],
        "a run that was stopped early": stopped,
        "a run with another rate": far,
        "a run that leaves its way once": crooked,
        "a run whose last step differs": turns,
        "another run with one of these batches": alone[middle],
    }
    return [Case(label, run.round(2), alone) for label, run in runs.items()]


def _gaps(case: Case) -> tuple[np.ndarray, int]:
    """Return the differences of a run from the training it is, and where most."""
    fits = [w for w in case.alone.values() if len(w) == len(case.run)]
    off = min((case.run - w for w in fits), key=lambda off: np.abs(off).max())
    return off, int(np.abs(off).max(axis=1).argmax())


def _tells(off: np.ndarray, at: int, sign: int = 1) -> bool:
    """Whether sign, mean, last step and distance all differ from the largest gap."""
    size = np.abs(off)
    others = (
        (-sign * off).max(),
        size.mean(),
        size[1].max(),
        size[-1].max(),
        np.linalg.norm(off, axis=1).max(),
    )
    return (sign * off).max() == size.max() and all(
        abs(size.max() - other) > TELLING for other in others
    )


Found = tuple[int, float] | None


def gap(run: np.ndarray, other: np.ndarray) -> float:
    """Return the largest difference in the steps that both have."""
    n = min(len(run), len(other))
    return float(np.abs(run[:n] - other[:n]).max())


def _found(case: Case) -> Found:
    fits = {
        batch: gap(case.run, weights)
        for batch, weights in case.alone.items()
        if len(weights) >= len(case.run)
    }
    batch = min(fits, key=fits.get)
    return (batch, fits[batch]) if fits[batch] < EQUAL else None


def _nearest(measure: Callable[[np.ndarray, np.ndarray], float]):
    """Return the search that takes the nearest by `measure`, however far it is."""

    def find(case: Case) -> Found:
        gaps = {batch: measure(case.run, w) for batch, w in case.alone.items()}
        batch = min(gaps, key=gaps.get)
        return batch, gaps[batch]

    return find


def _at_the_end(run: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(run[-1] - other[-1]).max())


def _only_close(find: Callable[[Case], Found]) -> Callable[[Case], Found]:
    def close(case: Case) -> Found:
        found = find(case)
        return found if found and abs(found[1]) < EQUAL else None

    return close


def _changed(change: Callable[[Case, Found], Found]) -> Callable[[Case], Found]:
    """Return the right search, but with another gap where something is found."""

    def find(case: Case) -> Found:
        found = _found(case)
        return change(case, found) if found else None

    return find


def _own_gap(measure: Callable[[np.ndarray, np.ndarray], float]):
    def change(case: Case, found: tuple[int, float]) -> Found:
        other = case.alone[found[0]][: len(case.run)]
        return found[0], measure(case.run, other)

    return _changed(change)


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "no training of one device stays within 0.01 of this run at every step.",
        "the batch whose training stays within 0.01 at every step of the run, and the "
        "largest difference of a weight in these steps.",
    )


MY_SAME_TRAINING = Exercise(
    name="10/my_same_training",
    cases=draw,
    observe=lambda function, case: PLACE.observation(
        function(case.run.copy(), {b: w.copy() for b, w in case.alone.items()})
    ),
    expect=lambda case: PLACE.observation(_found(case)),
    compare=_compare,
    tolerance=1e-6,
    mistakes=(
        PLACE.mistake(
            "nearest_at_the_end",
            _nearest(_at_the_end),
            "it takes the training whose last weights are nearest, however far they "
            "are. Runs of many kinds end at nearly the same place; compare every step.",
        ),
        PLACE.mistake(
            "close_at_the_end",
            _only_close(_nearest(_at_the_end)),
            "it compares the last weights only. A run may leave the way and come back, "
            "and a run that was stopped early ends somewhere else.",
        ),
        PLACE.mistake(
            "nearest_at_every_step",
            _nearest(gap),
            "it compares every step, but returns the nearest training even where the "
            "difference is large. Where it is not below 0.01, return None.",
        ),
        PLACE.mistake(
            "first_step_only",
            _only_close(_nearest(lambda a, b: float(np.abs(a[1] - b[1]).max()))),
            "it compares the first step only. A run may leave the way later.",
        ),
        PLACE.mistake(
            "without_the_last_step",
            lambda case: _found(Case(case.label, case.run[:-1], case.alone)),
            "it leaves out the last step of the run.",
        ),
        PLACE.mistake(
            "same_length_only",
            lambda case: _found(
                Case(
                    case.label,
                    case.run,
                    {
                        b: w
                        for b, w in case.alone.items()
                        if len(w) == len(case.run) or b == -1
                    }
                    or {-1: np.full_like(case.run, np.inf)},
                )
            ),
            "it leaves out trainings that are longer than the run. A run that was "
            "stopped early has fewer steps: compare the steps that it has.",
        ),
        PLACE.mistake(
            "gap_at_the_end",
            _own_gap(_at_the_end),
            "the batch is right. The gap is that of the last step; asked is the "
            "largest of all steps.",
        ),
        PLACE.mistake(
            "mean_gap",
            _own_gap(lambda a, b: float(np.abs(a - b).mean())),
            "the batch is right. The gap is a mean; asked is the largest difference.",
        ),
        PLACE.mistake(
            "signed_gap",
            _own_gap(lambda a, b: float((a - b).max())),
            "the batch is right. The gap is the largest difference with its sign; a "
            "weight may also be too small. Take absolute values first.",
        ),
        PLACE.mistake(
            "signed_gap_other_way",
            _own_gap(lambda a, b: float((b - a).max())),
            "the batch is right. The gap is the largest difference with its sign; a "
            "weight may also be too large. Take absolute values first.",
        ),
        PLACE.mistake(
            "euclidean_gap",
            _own_gap(lambda a, b: float(np.linalg.norm(a - b, axis=1).max())),
            "the batch is right. The gap is a distance in the plane of both weights; "
            "asked is the largest difference of one weight.",
        ),
        PLACE.mistake(
            "always_none",
            lambda case: None,
            "it never finds a training. Runs were rounded: compare with 0.01, "
            "and only the steps that the run has.",
        ),
    ),
    right="Right on six runs: two whole ones, one that was stopped, and three that are "
    "no training of one device with these batches.",
)
