"""Locate: which training of one device is this run, and how closely?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.lessons.n10_faster_but_less_accurate.runs import (
    EQUAL,
    Case,
    Found,
    draw,
    gap,
    nearest,
)
from course.places import Place

PLACE = Place(("batch",), ("gap",))


def _found(case: Case) -> Found:
    fits = {
        batch: gap(case.run, weights)
        for batch, weights in case.alone.items()
        if len(weights) >= len(case.run)
    }
    batch = min(fits, key=fits.get)
    return (batch, fits[batch]) if fits[batch] < EQUAL else None


def _at_the_end(run: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(run[-1] - other[-1]).max())


def _where_it_stopped(run: np.ndarray, other: np.ndarray) -> float:
    if len(other) < len(run):
        return np.inf
    return float(np.abs(run[-1] - other[len(run) - 1]).max())


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
            nearest(_at_the_end),
            "it takes the training whose last weights are nearest, however far they "
            "are. Runs of many kinds end at nearly the same place; compare every step.",
        ),
        PLACE.mistake(
            "close_at_the_end",
            _only_close(nearest(_at_the_end)),
            "it compares the last weights only. A run may leave the way and come back, "
            "and a run that was stopped early ends somewhere else.",
        ),
        PLACE.mistake(
            "nearest_at_every_step",
            nearest(gap),
            "it compares every step, but returns the nearest training even where the "
            "difference is large. Where it is not below 0.01, return None.",
        ),
        PLACE.mistake(
            "nearest_where_it_stopped",
            nearest(_where_it_stopped),
            "it compares one step only, the last one of the run, and takes the nearest "
            "training however far it is. Compare every step, with 0.01.",
        ),
        PLACE.mistake(
            "close_where_it_stopped",
            _only_close(nearest(_where_it_stopped)),
            "it compares one step only, the last one of the run. A run may leave the "
            "way before, and come back.",
        ),
        PLACE.mistake(
            "first_step_only",
            _only_close(nearest(lambda a, b: float(np.abs(a[1] - b[1]).max()))),
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
