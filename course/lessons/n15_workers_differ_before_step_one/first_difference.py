"""Locate: which variable differs first between workers, when, and by how much?"""

from __future__ import annotations

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n15_workers_differ_before_step_one.records import (
    draw,
    first_difference,
)
from course.lessons.n15_workers_differ_before_step_one.wrong_first_difference import (
    MISTAKES,
)

MY_FIRST_DIFFERENCE = finding(
    "15/my_first_difference",
    Place(("call", "variable"), ("distance",)),
    draw,
    given=lambda case: (case.copied(),),
    find=first_difference,
    nothing="after each of these calls, all workers have the chief's values.",
    wanted="the first call after which a variable of some worker has another value "
    "than the chief's, the smallest such variable, and the largest distance there.",
    mistakes=MISTAKES,
    usual={
        "swapped": "the call comes first, and then the variable.",
        "from_one": "calls count from 0.",
        "nothing_found": "it finds no difference anywhere.",
    },
    right="Right for what 2 or 3 workers did in eight jobs, some of them sound.",
)
