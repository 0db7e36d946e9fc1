"""Locate exercise: which entry of which worker's list does not lead to the worker?"""

from __future__ import annotations

from course.checks.exercises import Observation
from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n12_cluster_never_starts.recorded import Recorded, draw
from course.lessons.n12_cluster_never_starts.wrong_entry import MISTAKES, right


def _lists(case: Recorded, got: Observation, truth: Observation) -> str:
    lists = [f"lists[{k}] {list(own)}" for k, own in enumerate(case.lists)]
    return f"In it, listens was {list(case.listens)}; {'; '.join(lists)}."


MY_WRONG_ENTRY = finding(
    "12/my_wrong_entry",
    Place(("worker", "entry")),
    draw,
    given=lambda case: ([list(own) for own in case.lists], list(case.listens)),
    find=right,
    nothing="every entry of every list is the address at which that worker listens.",
    wanted="the first worker whose list has an entry that is not the address at which "
    "that worker listens, and the first such entry of its list.",
    more=_lists,
    mistakes=MISTAKES,
    usual={
        "swapped": "the two numbers are right, in the wrong order: first the worker, "
        "then the entry.",
        "from_one": "workers and entries are counted from 1; both count from 0.",
        "nothing_found": "it finds nothing in any recording.",
    },
    right="Right on eleven recordings: wrong ports and hosts, another order, short "
    "lists, the same fault in all lists, and a start that works.",
)
