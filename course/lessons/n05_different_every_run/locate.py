"""Locate: which write is the first to lose an update, and how much does it lose?"""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.places import Found, Place
from course.lessons.n05_different_every_run.records import Record, draw, losses
from course.lessons.n05_different_every_run.wrong_lost_update import MISTAKES

PLACE = Place(("index",), ("lost",))


def _lost_update(record: Record) -> Found:
    """The first write that loses an update, and how much it loses."""
    found = losses(record.events)
    return (found[0].write, found[0].lost) if found else None


def _observe(function: Callable, record: Record) -> Observation:
    return PLACE.observation(function(list(record.events)))


def _compare(record: Record, got: Observation, truth: Observation) -> Difference:
    index, lost = got.values
    came = (
        "It returned None: nothing is lost."
        if index < 0
        else f"It returned index {index:.0f} and the amount {lost:g}."
    )
    if truth.values[0] < 0:
        return Difference(
            came,
            "Expected None: before each write, its thread had read what the variable "
            "still held.",
        )
    if index < 0:
        return Difference(came, "Expected an answer: a write loses an update here.")
    if index == truth.values[0]:
        return Difference(
            f"{came} The index is right, the amount is not.",
            "Expected what the variable held just before that write, minus what the "
            "thread had read.",
        )
    amount = " The amount is right." if lost == truth.values[1] else ""
    kind = _kind_of(record, int(index))
    return Difference(
        f"{came} The index is wrong: {kind}.{amount}",
        "Expected the index, among all events, of the first write whose thread had "
        "last read something else than the variable held.",
    )


def _kind_of(record: Record, index: int) -> str:
    if index >= len(record.events):
        return f"there are only the events 0 to {len(record.events) - 1}"
    thread, kind, value = record.events[index]
    return f"event {index} is thread {thread}'s {kind} of {value:g}"


MY_LOST_UPDATE = Exercise(
    name="05/my_lost_update",
    cases=draw,
    observe=_observe,
    expect=lambda record: PLACE.observation(_lost_update(record)),
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right on eight recordings. In two of them steps cross or values fall, but "
    "nothing is lost.",
)
