"""Ways to look for lost updates in a recording: the right one, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable

from course.lessons.n05_different_every_run.records import Record, losses

Found = tuple[int, float] | None  # index of the write, amount lost


def lost_update(record: Record) -> Found:
    """Return the first write that loses an update, and how much it loses."""
    return first(record, lambda loss, events: (loss.write, loss.lost))


def first(record: Record, answer: Callable, which: int = 0) -> Found:
    """Return `answer(loss, events)` for one of the losses, None without any."""
    found = losses(record.events)
    return answer(found[which], record.events) if found else None


def falls(record: Record) -> Found:
    """Look for a value that falls, as the shipped monitor does."""
    value = record.events[0][2]
    for index, (_, kind, new) in enumerate(record.events):
        if kind == "write":
            if new < value:
                return index, value - new
            value = new
    return None


def any_crossing(record: Record) -> Found:
    """Take every write that does not follow directly on its thread's read."""
    events = record.events
    for index, (thread, kind, _) in enumerate(events):
        if kind == "write" and events[index - 1][:2] != (thread, "read"):
            before = [v for _, _, v in events[:index]][-1]
            read = [v for t, k, v in events[:index] if (t, k) == (thread, "read")][-1]
            return index, before - read
    return None


def first_read(record: Record) -> Found:
    """Compare each write with the first read of its thread, not with its last."""
    reads, value = {}, record.events[0][2]
    for index, (thread, kind, new) in enumerate(record.events):
        if kind == "read":
            reads.setdefault(thread, new)
        else:
            if reads[thread] != value:
                return index, value - reads[thread]
            value = new
    return None


def one_seen(record: Record) -> Found:
    """Keep one last read for all threads."""
    seen = held = record.events[0][2]
    for index, (_, kind, new) in enumerate(record.events):
        if kind == "read":
            seen = new
        elif seen != held:
            return index, held - seen
        held = new
    return None


def only_growth(record: Record) -> Found:
    """Overlook updates of a negative amount."""
    grown = [loss for loss in losses(record.events) if loss.lost > 0]
    return (grown[0].write, grown[0].lost) if grown else None


def two_writes(record: Record) -> Found:
    """Look for two writes in a row, of different threads."""
    seen, events = {}, record.events
    for index, (thread, kind, new) in enumerate(events):
        if kind == "read":
            seen[thread] = new
        elif (
            index and events[index - 1][1] == "write" and events[index - 1][0] != thread
        ):
            return index, events[index - 1][2] - seen[thread]
    return None


def any_change(record: Record) -> Found:
    """Take the first write that changes the value."""
    held = record.events[0][2]
    for index, (_, kind, new) in enumerate(record.events):
        if kind == "write" and new != held:
            return index, held - new
    return None


def write_number(record: Record) -> Found:
    """Count the writes only."""
    found = lost_update(record)
    if found is None:
        return None
    return sum(k == "write" for _, k, _ in record.events[: found[0]]), found[1]
