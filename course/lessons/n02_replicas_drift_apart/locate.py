"""Locate: at which step, and on which replica, do the copies first leave the truth?"""

from __future__ import annotations

import numpy as np

from course.checks.exercises import TOLERANCE, Observation
from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n02_replicas_drift_apart.recordings import Pair, draw
from course.lessons.n02_replicas_drift_apart.wrong_first_drift import MISTAKES


def first_drift(copies: np.ndarray, sequential: np.ndarray) -> Found:
    """Return the first step with a copy off the truth, and its furthest replica."""
    gaps = np.abs(copies - sequential[:, None]).max(axis=2)
    for step, gap in enumerate(gaps):
        if gap.max() > TOLERANCE:
            return step, int(gap.argmax())
    return None


def _no_such_replica(pair: Pair, got: Observation, truth: Observation) -> str:
    replicas = pair.copies.shape[1]
    if got.values[1] < replicas:
        return ""
    return f"There are only replicas 0 to {replicas - 1}: one gap per replica?"


FIRST_DRIFT = finding(
    "02/my_first_drift",
    Place(("step", "replica")),
    draw,
    given=lambda pair: (pair.copies.copy(), pair.sequential.copy()),
    find=first_drift,
    nothing=f"no copy is more than {TOLERANCE:.0e} off.",
    wanted=f"the first step in which a copy is more than {TOLERANCE:.0e} off in one of "
    "its weights, and the replica with the largest such difference in that step.",
    more=_no_such_replica,
    mistakes=MISTAKES,
    usual={
        "one_late": "the step is one too large. copies[k] stands after k steps, so the "
        "index is the step.",
        "swapped": "the two numbers are right, in the wrong order: first the step.",
    },
    right="Right on eight recordings, one of them healthy.",
)
