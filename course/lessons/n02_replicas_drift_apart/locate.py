"""Locate: at which step, and on which replica, do the copies first leave the truth?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.checks.places import Found, Place
from course.lessons.n02_replicas_drift_apart.recordings import Pair, draw
from course.lessons.n02_replicas_drift_apart.wrong_first_drift import MISTAKES

PLACE = Place(("step", "replica"))


def first_drift(pair: Pair) -> Found:
    """Return the first step with a copy off the truth, and its furthest replica."""
    gaps = np.abs(pair.copies - pair.sequential[:, None]).max(axis=2)
    for step, gap in enumerate(gaps):
        if gap.max() > TOLERANCE:
            return step, int(gap.argmax())
    return None


def _observe(function: Callable, pair: Pair) -> Observation:
    return PLACE.observation(function(pair.copies.copy(), pair.sequential.copy()))


def _compare(pair: Pair, got: Observation, truth: Observation) -> Difference:
    difference = PLACE.difference(
        got,
        truth,
        f"no copy is more than {TOLERANCE:.0e} off.",
        f"the first step in which a copy is more than {TOLERANCE:.0e} off, and the "
        "replica furthest off in that step.",
    )
    replicas = pair.copies.shape[1]
    if got.values[1] < replicas:
        return difference
    only = f"There are only replicas 0 to {replicas - 1}: one gap per replica?"
    return replace(difference, came=f"{difference.came} {only}")


FIRST_DRIFT = Exercise(
    name="02/my_first_drift",
    cases=draw,
    observe=_observe,
    expect=lambda pair: PLACE.observation(first_drift(pair)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on seven recordings, one of them healthy.",
)
