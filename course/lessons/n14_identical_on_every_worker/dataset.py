"""Core exercise: each worker's own part of the sequential run's batches."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n14_identical_on_every_worker.readings import (
    compare,
    draw,
    expect,
    observe,
    read,
    simulate,
)
from course.lessons.n14_identical_on_every_worker.wrong_dataset import MISTAKES

MY_DATASET = Exercise(
    name="14/my_dataset",
    cases=draw,
    observe=observe,
    read=read,
    expect=expect,
    compare=compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="In each step, the workers together read exactly the rows of the sequential "
    "batch, each row once; and two real workers end with its weights.",
    locate="14/my_first_wrong",
)
