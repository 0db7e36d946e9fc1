"""Locate: which event is the first that does not fit, and how much is missing?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.lessons.n11_out_of_memory.records import Ledger, draw
from course.places import Found, Place

PLACE = Place(("index",), ("missing",))


def _first(ledger: Ledger) -> int | None:
    over = np.flatnonzero(ledger.taken > ledger.limit)
    return int(over[0]) if len(over) else None


def _at_first(amount: Callable[[Ledger, int], float]) -> Callable[[Ledger], Found]:
    """Return the right index, with another amount."""

    def find(ledger: Ledger) -> Found:
        index = _first(ledger)
        return None if index is None else (index, amount(ledger, index))

    return find


def _over(ledger: Ledger, index: int) -> float:
    return float(ledger.taken[index] - ledger.limit)


def _right(ledger: Ledger) -> Found:
    return _at_first(_over)(ledger)


def _scan(fold: Callable[[float, float], float], strict: bool = True):
    """Go through the events with another way to keep the amount in use."""

    def find(ledger: Ledger) -> Found:
        taken = 0.0
        for index, change in enumerate(ledger.changes):
            taken = fold(taken, change)
            if taken > ledger.limit or (not strict and taken == ledger.limit):
                return index, taken - ledger.limit
        return None

    return find


def _largest(ledger: Ledger) -> Found:
    index = int(ledger.taken.argmax())
    return (index, _over(ledger, index)) if _first(ledger) is not None else None


def _last(ledger: Ledger) -> Found:
    over = np.flatnonzero(ledger.taken > ledger.limit)
    return (int(over[-1]), _over(ledger, over[-1])) if len(over) else None


def _one_late(ledger: Ledger) -> Found:
    found = _right(ledger)
    return found and (found[0] + 1, found[1])


def _among_taken(ledger: Ledger) -> Found:
    found = _right(ledger)
    return found and (sum(c > 0 for c in ledger.changes[: found[0]]), found[1])


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
    observe=lambda function, ledger: PLACE.observation(
        function(list(ledger.events), ledger.limit)
    ),
    expect=lambda ledger: PLACE.observation(_right(ledger)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "nothing_given_back",
            _scan(lambda taken, change: taken + max(change, 0)),
            "it adds up what was ever taken. What was given back is free again: "
            "follow what is in use at each moment.",
        ),
        PLACE.mistake(
            "each_alone",
            lambda ledger: next(
                (
                    (i, change - ledger.limit)
                    for i, change in enumerate(ledger.changes)
                    if change > ledger.limit
                ),
                None,
            ),
            "it compares each event alone with the limit. What counts is all that is "
            "in use after it.",
        ),
        PLACE.mistake(
            "given_back_is_added",
            _scan(lambda taken, change: taken + abs(change)),
            "what is given back is added as if it were taken. Its number is negative: "
            "add it as it is.",
        ),
        PLACE.mistake(
            "starts_again",
            _scan(lambda taken, change: taken + change if change > 0 else 0.0),
            "whenever something is given back, it starts to count from zero. The rest "
            "is still in use.",
        ),
        PLACE.mistake(
            "limit_itself_refused",
            _scan(lambda taken, change: taken + change, strict=False),
            "it refuses an amount that is equal to the limit. That still fits.",
        ),
        PLACE.mistake(
            "largest",
            _largest,
            "it returns the moment of the largest amount. The step had stopped before: "
            "asked is the FIRST that does not fit.",
        ),
        PLACE.mistake(
            "last",
            _last,
            "it returns the last event that does not fit. Asked is the first: the step "
            "stops there.",
        ),
        PLACE.mistake(
            "one_late",
            _one_late,
            "the index is one too large: the first event has the index 0.",
        ),
        PLACE.mistake(
            "number_among_taken",
            _among_taken,
            "the index counts only the events that take memory. Asked is the place "
            "among all events.",
        ),
        PLACE.mistake(
            "size_of_the_event",
            _at_first(lambda ledger, i: ledger.changes[i]),
            "the index is right, but the amount is what this event asks for. A part "
            "of that was still free: asked is what was missing.",
        ),
        PLACE.mistake(
            "rounded",
            _at_first(lambda ledger, i: float(round(_over(ledger, i)))),
            "the amount is rounded to whole MB. Return it as it is.",
        ),
        PLACE.mistake(
            "cut_to_whole",
            _at_first(lambda ledger, i: float(int(_over(ledger, i)))),
            "the amount is cut down to whole MB. Return it as it is.",
        ),
        PLACE.mistake(
            "all_in_use",
            _at_first(lambda ledger, i: float(ledger.taken[i])),
            "the index is right, but the amount is all that is in use. Asked is how "
            "much of it is over the limit.",
        ),
        PLACE.mistake(
            "free_before",
            _at_first(lambda ledger, i: ledger.limit - ledger.taken[i - 1]),
            "the index is right, but the amount is what was still free before this "
            "event. Asked is what was missing.",
        ),
        PLACE.mistake(
            "sign",
            _at_first(lambda ledger, i: -_over(ledger, i)),
            "the amount has the wrong sign: in use minus limit, which is positive.",
        ),
        PLACE.mistake(
            "missing_at_the_peak",
            _at_first(lambda ledger, i: float(ledger.taken.max() - ledger.limit)),
            "the index is right, but the amount is the one at the later peak. Asked is "
            "what this event misses.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda ledger: None,
            "it finds nothing in any of the recordings, yet in three of them more than "
            "the limit is in use at some moment.",
        ),
    ),
    right="Right on five recordings, two of which fit.",
)
