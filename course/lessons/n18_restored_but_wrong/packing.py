"""Further exercise: gradients as bytes and back, bit by bit; damaged bytes refused."""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Exercise, Observation, shown_by
from course.lessons.n18_restored_but_wrong.packing_case import (
    PROPERTIES,
    Case,
    draw,
    ends_here,
    observe,
)
from course.lessons.n18_restored_but_wrong.wrong_packing import MISTAKES


def _observe_here(function: Callable, case: Case) -> Observation:
    return observe(function, case, ends_here)


MY_PACKING = Exercise(
    name="18/my_packing",
    cases=draw,
    observe=observe,
    expect=PROPERTIES.expect,
    compare=PROPERTIES.compare,
    mistakes=shown_by(_observe_here, *MISTAKES),
    right="Three lists of gradients came back bit by bit, and each damaged message was "
    "refused.",
)
