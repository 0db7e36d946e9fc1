"""Notebook 15: workers that begin with other values, and keep their distance."""

from course.checks.questions import TickTable
from course.lessons.n15_workers_differ_before_step_one.first_difference import (
    MY_FIRST_DIFFERENCE,
)
from course.lessons.n15_workers_differ_before_step_one.playing import (
    who_begins_where,
)
from course.lessons.n15_workers_differ_before_step_one.preflight import MY_PREFLIGHT
from course.lessons.n15_workers_differ_before_step_one.start_paths import start_paths
from course.lessons.n15_workers_differ_before_step_one.sync import MY_SYNC
from course.lessons.n15_workers_differ_before_step_one.unseen import MY_UNSEEN
from course.lessons.n15_workers_differ_before_step_one.ways import (
    QUESTIONS,
    observe_ways,
)
from course.lessons.n15_workers_differ_before_step_one.worker_starts import train_from
from course.pictures.tick_table import tick_table

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "observe_ways",
    "start_paths",
    "tick_table",
    "train_from",
    "who_begins_where",
]

EXERCISES = (MY_FIRST_DIFFERENCE, MY_SYNC, MY_PREFLIGHT, MY_UNSEEN)

PREDICTION = TickTable(
    number="15",
    question=(
        "In each of the six ways, two real workers get their weights, call "
        "broken_sync, and make 20 steps. Are the weights equal on both before step 1? "
        "And after step 20? (Within 1e-5; an empty box means no.)"
    ),
    columns=QUESTIONS,
    rows={
        "made, own numbers": (True, True),
        "made by Keras, own seeds": (True, True),
        "made, other order": (False, False),
        "assigned, own numbers": (False, False),
        "assigned, steps that halve": (False, True),
        "made, own momentum": (True, False),
    },
)
