"""Notebook 05: threads that share a variable lose updates, and gradients get old."""

from course.checks.questions import Option, Prediction
from course.lessons.n05_different_every_run.lanes import lanes
from course.lessons.n05_different_every_run.late_gradients import late_gradients
from course.lessons.n05_different_every_run.locate import MY_LOST_UPDATE
from course.lessons.n05_different_every_run.own_threads import in_threads
from course.lessons.n05_different_every_run.rounds import MY_ROUND
from course.lessons.n05_different_every_run.scheduler_widget import (
    print_schedule,
    scheduler,
)
from course.lessons.n05_different_every_run.schedules import run_schedule
from course.lessons.n05_different_every_run.staleness import (
    descend_late,
    stability_limit,
)
from course.lessons.n05_different_every_run.update import MY_UPDATE

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "descend_late",
    "in_threads",
    "lanes",
    "late_gradients",
    "print_schedule",
    "run_schedule",
    "scheduler",
    "stability_limit",
]

EXERCISES = (MY_LOST_UPDATE, MY_UPDATE, MY_ROUND)

PREDICTION = Prediction(
    number="05",
    question=(
        "Two threads, with the deltas 1 and 10; var holds 0, and work returns its "
        "delta. The order of the steps is: thread 0 reads, thread 1 reads, thread 0 "
        "writes, thread 1 writes. What does var hold at the end?"
    ),
    options={
        "A": Option(
            "11: TensorFlow's variables can be used by several threads.",
            "Each read and each write is safe by itself. Nothing joins a read and a "
            "later write into one piece.",
        ),
        "B": Option(
            "1: thread 0 writes first, and the later write is refused.",
            "No write is refused. TensorFlow does not know that the value was made out "
            "of an old one.",
        ),
        "C": Option(
            "10: thread 1 writes last, and its value replaces the other.",
            "Thread 1 had read 0 and writes 0 + 10 over thread 0's update, which is "
            "lost without an error.",
        ),
        "D": Option(
            "It differs from run to run: a race is random.",
            "What differs from run to run is the ORDER of the steps. Once the order is "
            "given, the result is certain.",
        ),
    },
    answer="C",
)
