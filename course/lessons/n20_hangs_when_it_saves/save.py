"""Core exercise: a save that ends on all workers, and that no kill can spoil."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n20_hangs_when_it_saves.saved_case import (
    compare,
    draw,
    expect,
    observe,
    simulate,
)
from course.lessons.n20_hangs_when_it_saves.wrong_save import MISTAKES

MY_SAVE = Exercise(
    name="20/my_save",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="All workers finished, the folder contained one complete file, and after "
    "each kill there was a complete one as well.",
    locate="20/my_first_meeting",
)
