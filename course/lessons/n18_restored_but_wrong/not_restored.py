"""Locate: which variables do not have the file's value after a restore?"""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n18_restored_but_wrong.not_restored_case import (
    compare,
    draw,
    observe,
)
from course.lessons.n18_restored_but_wrong.wrong_not_restored import MISTAKES, right

MY_NOT_RESTORED = Exercise(
    name="18/my_not_restored",
    cases=draw,
    observe=observe,
    expect=lambda case: observe(right, case),
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="It names the right variables in eleven recordings; in the sound ones, none.",
)
