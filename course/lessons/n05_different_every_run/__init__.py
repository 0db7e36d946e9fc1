"""Notebook 05: threads that share a variable lose updates; gradients become stale."""

from course.checks.questions import TickTable
from course.lessons.n05_different_every_run.lanes import lanes
from course.lessons.n05_different_every_run.late_gradients import late_gradients
from course.lessons.n05_different_every_run.locate import MY_LOST_UPDATE
from course.lessons.n05_different_every_run.outcomes import MY_OUTCOMES
from course.lessons.n05_different_every_run.own_threads import in_threads
from course.lessons.n05_different_every_run.playing import (
    print_schedule,
    who_goes_next,
)
from course.lessons.n05_different_every_run.rounds import MY_ROUND
from course.lessons.n05_different_every_run.schedules import run_schedule
from course.lessons.n05_different_every_run.staleness import (
    descend_late,
    stability_limit,
)
from course.lessons.n05_different_every_run.update import MY_UPDATE
from course.lessons.n05_different_every_run.ways import QUESTIONS, observe_ways

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "descend_late",
    "in_threads",
    "lanes",
    "late_gradients",
    "observe_ways",
    "print_schedule",
    "run_schedule",
    "stability_limit",
    "who_goes_next",
]

EXERCISES = (MY_LOST_UPDATE, MY_UPDATE, MY_OUTCOMES, MY_ROUND)

PREDICTION = TickTable(
    number="05",
    question=(
        "Each of the five adds 1 twice at the same time to a variable that holds 0. "
        "Its reads and writes may happen in any order that it allows. Tick those that "
        "can end at 1 instead of 2. (An empty box means: it always ends at 2.)"
    ),
    columns=QUESTIONS,
    rows={
        "lock around the write": (True,),
        "one tf.function": (True,),
        "strategy.run": (False,),
        "assign_add (Keras)": (True,),
        "SGD.apply (Keras)": (False,),
    },
)
