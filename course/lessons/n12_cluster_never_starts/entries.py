"""Locate exercise: which entry of which worker's list does not lead to the worker?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Place
from course.lessons.n12_cluster_never_starts.recorded import Recorded, draw
from course.lessons.n12_cluster_never_starts.wrong_entry import MISTAKES, right

PLACE = Place(("worker", "entry"))


def _observe(function: Callable, case: Recorded) -> Observation:
    lists = [list(own) for own in case.lists]
    return PLACE.observation(function(lists, list(case.listens)))


def _compare(case: Recorded, got: Observation, truth: Observation) -> Difference:
    said = PLACE.difference(
        got,
        truth,
        "every entry of every list is the address at which that worker listens.",
        "the first worker whose list has an entry that is not the address at which "
        "that worker listens, and the first such entry of its list.",
    )
    lists = [f"lists[{k}] {list(own)}" for k, own in enumerate(case.lists)]
    asked = f"In it, listens was {list(case.listens)}; {'; '.join(lists)}."
    return replace(said, came=f"{said.came} {asked}")


MY_WRONG_ENTRY = Exercise(
    name="12/my_wrong_entry",
    cases=draw,
    observe=_observe,
    expect=lambda case: _observe(right, case),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on ten recordings: wrong ports and hosts, another order, short lists, "
    "the same fault in all lists, and a start that works.",
)
