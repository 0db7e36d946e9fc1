"""Core exercise: the full batch's gradients, with only some rows alive at a time."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n12_out_of_memory.jobs import compare, draw, expect, observe
from course.lessons.n12_out_of_memory.wrong_gradients import MISTAKES

MY_GRADIENTS = Exercise(
    name="12/my_gradients",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="The gradients equal those of all rows at once, with never more rows alive "
    "than fit, and in the fewest calls.",
    locate="12/my_first_failure",
)
