"""Notebook 18: a checkpoint that was restored in part, in silence."""

from course.checks.questions import Option, Prediction
from course.lessons.n18_restored_but_wrong.encoding_errors import encoding_errors
from course.lessons.n18_restored_but_wrong.half import MY_HALF
from course.lessons.n18_restored_but_wrong.name_joins import name_joins
from course.lessons.n18_restored_but_wrong.not_restored import MY_NOT_RESTORED
from course.lessons.n18_restored_but_wrong.packing import MY_PACKING
from course.lessons.n18_restored_but_wrong.restore import MY_RESTORE
from course.lessons.n18_restored_but_wrong.restoring import restored_by

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "encoding_errors",
    "name_joins",
    "restored_by",
]

EXERCISES = (MY_NOT_RESTORED, MY_RESTORE, MY_PACKING, MY_HALF)

PREDICTION = Prediction(
    number="18",
    question=(
        "The file has w and step. The program now calls the same variables weights "
        "and step; shapes and types are equal. What does broken_restore do?"
    ),
    options={
        "A": Option(
            "It stops with an error that names weights.",
            "For that, somebody must ask: the object that restore returns has "
            "assert_consumed, and expect_partial tells it to say nothing.",
        ),
        "B": Option(
            "weights gets the values of w: it is the only array of that shape.",
            "A checkpoint joins by names, never by shapes or by order.",
        ),
        "C": Option(
            "It restores step, leaves weights as it is, and says nothing.",
            "What has a partner of its name is restored. The rest keeps its initial "
            "value, and expect_partial means: do not tell me.",
        ),
        "D": Option(
            "It restores nothing: a checkpoint fits as a whole or not at all.",
            "There is no such rule: each variable is joined and restored for itself.",
        ),
    },
    answer="C",
)
