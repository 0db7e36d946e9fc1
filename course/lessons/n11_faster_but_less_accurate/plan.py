"""Core exercise: more replicas, and the training stays what it was."""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Exercise, Observation, shown_by
from course.lessons.n11_faster_but_less_accurate.plans import (
    Case,
    compare,
    draw,
    expect,
    follow,
    observe,
)
from course.lessons.n11_faster_but_less_accurate.shared_batches import plan_of
from course.lessons.n11_faster_but_less_accurate.wrong_plan import MISTAKES


def _foresee(function: Callable, case: Case) -> Observation:
    """What a plan leads to: in NumPy, as twenty runs of replicas take too long."""
    return follow(case, plan_of(function, case.training, case.replicas))


MY_PLAN = Exercise(
    name="11/my_plan",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(_foresee, *MISTAKES),
    right="The trained weights are those of one device on all replicas, and no share "
    "is larger than it needs to be.",
    locate="11/my_same_training",
)
