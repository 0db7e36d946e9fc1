"""Notebook 20: workers must save together."""

from course.checks.questions import TickTable
from course.lessons.n20_hangs_when_it_saves.meeting import MY_FIRST_MEETING
from course.lessons.n20_hangs_when_it_saves.meetings import meetings
from course.lessons.n20_hangs_when_it_saves.playing import control_panel
from course.lessons.n20_hangs_when_it_saves.save import MY_SAVE
from course.lessons.n20_hangs_when_it_saves.saving_job import train_and_save
from course.lessons.n20_hangs_when_it_saves.stop import MY_STOP
from course.lessons.n20_hangs_when_it_saves.ways import (
    BOTH,
    CLOCKS,
    EVALUATES,
    ONE_PATH,
    OWN_PATHS,
    QUESTIONS,
    W,
    observe_ways,
)
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "control_panel",
    "meetings",
    "observe_ways",
    "tick_table",
    "train_and_save",
]

EXERCISES = (MY_FIRST_MEETING, MY_SAVE, MY_STOP)

PREDICTION = TickTable(
    number="20",
    question=(
        "Two real workers make 20 steps, and save after step 12 and after the last. "
        "Six jobs save in different ways. Do both workers come to the end? Is worker "
        "0's last checkpoint complete, with the right values? (An empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        W: (True, True),
        BOTH: (False, False),
        ONE_PATH: (False, False),
        OWN_PATHS: (True, True),
        CLOCKS: (True, False),
        EVALUATES: (False, True),
    },
)
