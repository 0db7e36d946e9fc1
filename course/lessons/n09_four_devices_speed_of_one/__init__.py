"""Notebook 09: eager steps, new traces and host reads keep devices waiting."""

from course.checks.questions import TickTable
from course.lessons.n09_four_devices_speed_of_one.blocker import MY_BLOCKER
from course.lessons.n09_four_devices_speed_of_one.job_events import run_job
from course.lessons.n09_four_devices_speed_of_one.loops import (
    QUESTIONS,
    observe_loops,
    work,
)
from course.lessons.n09_four_devices_speed_of_one.playing import switch_lines
from course.lessons.n09_four_devices_speed_of_one.profiles import MY_COUNTS
from course.lessons.n09_four_devices_speed_of_one.slow_step import MY_SLOW_STEP
from course.lessons.n09_four_devices_speed_of_one.step_training import time_training
from course.lessons.n09_four_devices_speed_of_one.train import MY_TRAIN
from course.lessons.n09_four_devices_speed_of_one.uneven_job import profiled

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "QUESTIONS",
    "observe_loops",
    "profiled",
    "run_job",
    "switch_lines",
    "time_training",
    "work",
]

EXERCISES = (MY_BLOCKER, MY_TRAIN, MY_SLOW_STEP, MY_COUNTS)

PREDICTION = TickTable(
    number="09",
    question=(
        "Each of the seven runs on four replicas. Tick those in which all four are in "
        "their work at the same time. (An empty box means: they work in turn.)"
    ),
    columns=QUESTIONS,
    rows={
        "run(work)": (False,),
        "run(calls_a_graph)": (False,),
        "run(graph)": (True,),
        "in_a_graph(work)": (True,),
        "in_a_graph(work), float": (True,),
        "in_a_graph(prints)": (True,),
        "in_a_graph(checks)": (False,),
    },
)
