"""Locate: at which moment do workers differ for the first time, and in what?"""

from __future__ import annotations

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n14_workers_differ_before_step_one.snapshots import (
    draw,
    first_difference,
)
from course.lessons.n14_workers_differ_before_step_one.wrong_first_difference import (
    MISTAKES,
)

MY_FIRST_DIFFERENCE = finding(
    "14/my_first_difference",
    Place(("moment", "position")),
    draw,
    given=lambda case: (case.copy(),),
    find=first_difference,
    nothing="at every moment, all workers have the same names and values in the same "
    "order.",
    wanted="the first moment at which any worker differs from worker 0, and the first "
    "position where it does, in name or value.",
    mistakes=MISTAKES,
    usual={
        "swapped": "the position comes before the moment: it is the other way.",
        "from_one": "moments and positions count from 0.",
        "nothing_found": "it finds no difference anywhere.",
    },
    right="Right on recordings of 2 to 4 workers, one of them healthy.",
)
