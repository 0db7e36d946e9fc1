"""Further exercise: float32 weights for a float16 model, or a refusal."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n18_restored_but_wrong.half_case import (
    compare,
    draw,
    expect,
    observe,
)
from course.lessons.n18_restored_but_wrong.wrong_half import MISTAKES

MY_HALF = Exercise(
    name="18/my_half",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Ordinary weights, exact small ones, 65510, infinity and NaN were cast; what "
    "would have changed by more than 0.1 % was refused by its name.",
)
