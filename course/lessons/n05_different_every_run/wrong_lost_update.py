"""Wrong answers to 05/my_lost_update: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n05_different_every_run.records import Event, Loss, losses

Events = Sequence[Event]


def _where_lost(wrong: Callable[[Events, list[Loss]], Found]) -> Callable:
    """Return the answer that gives None where nothing is lost, else what `wrong` makes
    of the events and of all losses in them.
    """

    @wraps(wrong)
    def answer(events):
        found = losses(events)
        return wrong(events, found) if found else None

    return answer


def value_falls(events):
    """It looks for a value that falls. A lost update need not make the value fall, and
    an update that loses nothing may be negative.
    """
    values = [events[0][2]]
    for index, event in enumerate(events):
        if event[1] == "write":
            values.append(event[2])
            if values[-1] < values[-2]:
                return index, values[-2] - values[-1]


def any_crossing(events):
    """It reports any step of another thread between a read and a write. Reads do no
    harm: look for a WRITE of another thread.
    """
    seen = {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif events[index - 1][0] != thread or events[index - 1][1] != "read":
            return index, events[index - 1][2] - seen[thread]


def first_read(events):
    """It compares with the first read of the thread. The value that a write builds
    on is the one its thread read LAST.
    """
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen.setdefault(thread, value)
        else:
            if seen[thread] != held:
                return index, held - seen[thread]
            held = value


@_where_lost
def overwritten_not_overwriting(events: Events, found: list[Loss]) -> Found:
    """The index is that of the write that was lost. Return the later write, which
    overwrote it.
    """
    return found[0].overwritten, found[0].lost


@_where_lost
def index_of_the_read(events: Events, found: list[Loss]) -> Found:
    """The index is that of the read whose value became outdated. Return the write that
    used it.
    """
    return found[0].read, found[0].lost


@_where_lost
def number_among_writes(events: Events, found: list[Loss]) -> Found:
    """The index counts writes only. Return the index among all events."""
    before = events[: found[0].write]
    return sum(kind == "write" for _, kind, _ in before), found[0].lost


@_where_lost
def one_late(events: Events, found: list[Loss]) -> Found:
    """The index is one too large: the first event has the index 0."""
    return found[0].write + 1, found[0].lost


@_where_lost
def last_loss(events: Events, found: list[Loss]) -> Found:
    """It returns the last write that loses an update. Return the first."""
    return found[-1].write, found[-1].lost


@_where_lost
def largest_loss(events: Events, found: list[Loss]) -> Found:
    """It returns the write with the largest loss. Return the first write that loses."""
    largest = max(found, key=lambda loss: loss.lost)
    return largest.write, largest.lost


@_where_lost
def own_amount(events: Events, found: list[Loss]) -> Found:
    """The amount is what this thread added. Return what the OTHERS added since it read,
    which is lost.
    """
    return found[0].write, events[found[0].write][2] - events[found[0].read][2]


@_where_lost
def change_of_the_value(events: Events, found: list[Loss]) -> Found:
    """The amount is the change of the value by this write. That mixes what was lost
    with what this thread added.
    """
    return found[0].write, events[found[0].overwritten][2] - events[found[0].write][2]


@_where_lost
def sign(events: Events, found: list[Loss]) -> Found:
    """The amount has the wrong sign: what the variable held before the write, minus
    what the thread had read.
    """
    return found[0].write, -found[0].lost


@_where_lost
def only_growth(events: Events, found: list[Loss]) -> Found:
    """It looks only for a thread that had read less than the variable held. A negative
    update can be lost as well: look for any difference.
    """
    return next(((each.write, each.lost) for each in found if each.lost > 0), None)


@_where_lost
def amount_without_sign(events: Events, found: list[Loss]) -> Found:
    """The amount has no sign. If a negative update is lost, the amount is negative."""
    return found[0].write, abs(found[0].lost)


def one_seen(events):
    """It remembers one last read for all threads. Each thread builds on its OWN read:
    remember one for each thread.
    """
    held = seen = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "read":
            seen = value
        elif seen != held:
            return index, held - seen
        held = value
    return None


def two_writes(events):
    """It looks for two writes in a row. A thread may read between the write that is
    lost and the write that overwrites it.
    """
    seen = {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            before, what, held = events[index - 1]
            if what == "write" and before != thread:
                return index, held - seen[thread]


def any_change(events):
    """It returns the first write that changes the value, but every write does that.
    Compare what the variable held with what this thread had read.
    """
    held = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "write" and value != held:
            return index, held - value
        held = value
    return None


def zero_for_nothing(events):
    """If nothing is lost, it returns (0, 0). Return None."""
    found = losses(events)
    return (found[0].write, found[0].lost) if found else (0, 0.0)


@_where_lost
def what_was_held(events: Events, found: list[Loss]) -> Found:
    """The amount is what the variable held. Subtract what the thread had read."""
    return found[0].write, events[found[0].overwritten][2]


def nothing_found(events):
    """It returns None for every recording: it reaches no other return, or its two
    values never differ. Another thread's write changes what the variable holds, but not
    what this thread has read.
    """
    return None


@_where_lost
def all_losses(events: Events, found: list[Loss]) -> Found:
    """The amount is the sum of all losses. Return that of the first one."""
    return found[0].write, sum(each.lost for each in found)


MISTAKES = wrong_answers(__name__)
