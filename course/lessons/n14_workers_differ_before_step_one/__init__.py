"""Notebook 14: workers that begin with other values, and keep their distance."""

from course.checks.questions import Option, Prediction
from course.lessons.n14_workers_differ_before_step_one.differences import (
    MY_FIRST_DIFFERENCE,
)
from course.lessons.n14_workers_differ_before_step_one.mask import MY_MASK
from course.lessons.n14_workers_differ_before_step_one.preflight import MY_PREFLIGHT
from course.lessons.n14_workers_differ_before_step_one.start_paths import start_paths
from course.lessons.n14_workers_differ_before_step_one.sync import MY_SYNC
from course.lessons.n14_workers_differ_before_step_one.worker_starts import train_from

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "start_paths",
    "train_from",
]

EXERCISES = (MY_FIRST_DIFFERENCE, MY_SYNC, MY_PREFLIGHT, MY_MASK)

PREDICTION = Prediction(
    number="14",
    question=(
        "Two real workers call give, then broken_sync, then come 20 steps; each step "
        "applies the gradient summed over both workers to a and b. Where do the two "
        "workers differ before step 1, and after step 20?"
    ),
    options={
        "A": Option(
            "Nowhere: variables made in the scope are kept equal.",
            "The strategy gives all workers the chief's value once, when a variable is "
            "made. It does not look again: what is assigned later stays local.",
        ),
        "B": Option(
            "In b only. After step 20 by as much as before step 1.",
            "a was made from the chief's number on both workers; b was assigned, and "
            "an assign stays on its worker. Equal updates then keep the distance.",
        ),
        "C": Option(
            "In b only. Training closes the distance: both walk to the same minimum.",
            "Each worker applies the same sum, not its own gradient. Equal updates "
            "move both by the same amount, so that their distance can't shrink.",
        ),
        "D": Option(
            "In a and b, and small differences grow from step to step.",
            "a is equal: the strategy gave both workers the chief's number when it was "
            "made. And equal updates keep the distance in b; it can't grow.",
        ),
    },
    answer="B",
)
