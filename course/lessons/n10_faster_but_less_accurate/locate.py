"""Locate: which training of one device is this run, and how closely?"""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n10_faster_but_less_accurate.runs import (
    EQUAL,
    Case,
    Found,
    draw,
    gap,
)
from course.lessons.n10_faster_but_less_accurate.wrong_same_training import MISTAKES

PLACE = Place(("batch",), ("gap",))


def _found(case: Case) -> Found:
    fits = {
        batch: gap(case.run, weights)
        for batch, weights in case.alone.items()
        if len(weights) >= len(case.run)
    }
    batch = min(fits, key=fits.get)
    return (batch, fits[batch]) if fits[batch] < EQUAL else None


def _observe(function: Callable, case: Case) -> Observation:
    return PLACE.observation(
        function(case.run.copy(), {b: w.copy() for b, w in case.alone.items()})
    )


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
    observe=_observe,
    expect=lambda case: PLACE.observation(_found(case)),
    compare=_compare,
    tolerance=1e-6,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on six runs: two whole ones, one that was stopped, and three that are "
    "no training of one device with these batches.",
)
