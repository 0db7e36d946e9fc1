"""Notebook 19: a checkpoint that was restored in part, in silence."""

from course.checks.questions import TickTable
from course.lessons.n19_restored_but_wrong.encoding_errors import encoding_errors
from course.lessons.n19_restored_but_wrong.hidden import MY_HIDDEN
from course.lessons.n19_restored_but_wrong.name_joins import name_joins
from course.lessons.n19_restored_but_wrong.not_restored import MY_NOT_RESTORED
from course.lessons.n19_restored_but_wrong.packing import MY_PACKING
from course.lessons.n19_restored_but_wrong.playing import what_is_joined
from course.lessons.n19_restored_but_wrong.programs import QUESTIONS, observe_programs
from course.lessons.n19_restored_but_wrong.restore import MY_RESTORE
from course.lessons.n19_restored_but_wrong.restoring import restored_by
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "encoding_errors",
    "name_joins",
    "observe_programs",
    "restored_by",
    "tick_table",
    "what_is_joined",
]

EXERCISES = (MY_NOT_RESTORED, MY_RESTORE, MY_PACKING, MY_HIDDEN)

PREDICTION = TickTable(
    number="19",
    question=(
        "Six new programs call broken_restore, each with the folder above. Does it "
        "raise an error? And is the program's step 40 afterwards, error or not? (An "
        "empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        "weights instead of w": (False, True),
        "w and mean exchanged": (False, True),
        "no mean": (False, True),
        "w of three numbers": (True, True),
        "w of float64": (True, False),
        "an empty folder": (False, False),
    },
)
