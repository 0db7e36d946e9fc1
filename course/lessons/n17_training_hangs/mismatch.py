"""Further exercise: find, before the first step, gradients that do not fit together."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n17_training_hangs.mismatch_case import (
    compare,
    draw,
    expect,
    observe,
    simulate,
)
from course.lessons.n17_training_hangs.wrong_first_mismatch import MISTAKES

MY_FIRST_MISMATCH = Exercise(
    name="17/my_first_mismatch",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="All real workers found the same gradient in every model, and nobody waited.",
)
