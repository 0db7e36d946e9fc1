"""Locate: which event is the first that does not fit, and how much is missing?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Found, Place
from course.lessons.n11_out_of_memory.records import Ledger, draw
from course.lessons.n11_out_of_memory.wrong_first_failure import MISTAKES

PLACE = Place(("index",), ("missing",))


def _first_over(ledger: Ledger) -> Found:
    over = np.flatnonzero(ledger.taken > ledger.limit)
    return (int(over[0]), ledger.taken[over[0]] - ledger.limit) if len(over) else None


def _observe(function: Callable, ledger: Ledger) -> Observation:
    return PLACE.observation(function(list(ledger.events), ledger.limit))


def _compare(ledger: Ledger, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        f"never more than {ledger.taken.max():g} MB are in use, and the limit is "
        f"{ledger.limit:g}.",
        "the index, among all events, of the first after which more than the limit is "
        "in use, and how many MB that is over the limit.",
    )


MY_FIRST_FAILURE = Exercise(
    name="11/my_first_failure",
    cases=draw,
    observe=_observe,
    expect=lambda ledger: PLACE.observation(_first_over(ledger)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on five recordings, two of which fit.",
)
