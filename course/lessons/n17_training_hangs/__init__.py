"""Notebook 17: a worker waits for a call that another worker never makes."""

from course.checks.questions import TickTable
from course.lessons.n17_training_hangs.epoch import MY_EPOCH
from course.lessons.n17_training_hangs.mismatch import MY_FIRST_MISMATCH
from course.lessons.n17_training_hangs.mix_up import MY_MIX_UP
from course.lessons.n17_training_hangs.odd_call import MY_FIRST_ODD
from course.lessons.n17_training_hangs.pairs import (
    DTYPE,
    GONE_0,
    LESS,
    MORE,
    ORDER,
    QUESTIONS,
    observe_pairs,
)
from course.lessons.n17_training_hangs.playing import control_panel
from course.lessons.n17_training_hangs.uneven_epoch import parts_of, train_uneven
from course.pictures.tick_table import tick_table
from course.pictures.worker_lanes import worker_lanes

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "control_panel",
    "observe_pairs",
    "parts_of",
    "tick_table",
    "train_uneven",
    "worker_lanes",
]

EXERCISES = (MY_FIRST_ODD, MY_EPOCH, MY_MIX_UP, MY_FIRST_MISMATCH)

PREDICTION = TickTable(
    number="17",
    question=(
        "Two real workers sum a and b in two all-reduces. Five jobs differ from this "
        "in one thing each. Does a worker wait forever? Does a worker get an error? "
        "(An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        LESS: (True, False),
        MORE: (True, False),
        ORDER: (False, False),
        DTYPE: (True, True),
        GONE_0: (False, True),
    },
)
