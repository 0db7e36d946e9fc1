"""Notebook 00: runs that log the same loss and end with other weights."""

from course.checks.questions import TickTable
from course.lessons.n00_start_here.agrees import AGREES
from course.lessons.n00_start_here.apart import ends_apart
from course.lessons.n00_start_here.fitting import compare_row_counts
from course.lessons.n00_start_here.spread import SPREAD

__all__ = [
    "EXERCISES",
    "PREDICTION",
    "compare_row_counts",
    "ends_apart",
]

EXERCISES = (AGREES, SPREAD)

PREDICTION = TickTable(
    number="00",
    question=(
        "The same fit, for one epoch in batches of 8, with these numbers of rows. "
        "Tick each run that ends with OTHER weights than the run on 1 device "
        "(further away than rounding). An empty box means: the same weights."
    ),
    columns=("other on 2 devices?", "other on 4 devices?"),
    rows={
        "18 rows": (False, True),
        "20 rows": (False, False),
        "22 rows": (False, True),
        "23 rows": (True, True),
    },
)
