"""Core exercise: an epoch over unequal data that neither hangs nor loses a row."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n17_training_hangs.epoch_case import (
    compare,
    draw,
    expect,
    observe,
    simulate,
)
from course.lessons.n17_training_hangs.wrong_epoch import MISTAKES

MY_EPOCH = Exercise(
    name="17/my_epoch",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="No worker waited, each row was used once an epoch, and all workers end "
    "with the weights of the sequential run.",
    locate="17/my_first_odd",
)
