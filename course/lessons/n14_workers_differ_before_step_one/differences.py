"""Locate: at which moment do workers differ for the first time, and in what?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n14_workers_differ_before_step_one.snapshots import (
    Recorded,
    draw_candidates,
    first_difference,
)
from course.lessons.n14_workers_differ_before_step_one.wrong_first_difference import (
    MISTAKES,
)

FINDERS = (first_difference, *MISTAKES)
PLACE = Place(("moment", "position"))


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw recordings in which every known mistake gives another answer."""
    while True:
        drawn = draw_candidates(rng)
        answers = [[find(each.snapshots) for each in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _observe(function: Callable, case: Recorded) -> Observation:
    return PLACE.observation(function(case.copy()))


def _compare(case: Recorded, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "at every moment, all workers have the same names and values in the same "
        "order.",
        "the first moment at which any worker differs from worker 0, and the first "
        "position where it does, in name or value.",
    )


MY_FIRST_DIFFERENCE = Exercise(
    name="14/my_first_difference",
    cases=draw,
    observe=_observe,
    expect=lambda case: PLACE.observation(first_difference(case.snapshots)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on recordings of 2 to 4 workers, one of them healthy.",
)
