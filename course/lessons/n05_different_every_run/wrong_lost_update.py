"""Wrong answers to 05/my_lost_update: names are codes, docstrings causes."""

from __future__ import annotations

from course.lessons.n05_different_every_run.wrong_amounts import (
    all_losses,
    amount_without_sign,
    change_of_the_value,
    own_amount,
    sign,
    what_was_held,
)


def value_falls(events):
    """It looks for a value that falls. A lost update need not make it fall, and a
    healthy update may be negative.
    """
    values = [events[0][2]]
    for index, event in enumerate(events):
        if event[1] == "write":
            values.append(event[2])
            if values[-1] < values[-2]:
                return index, values[-2] - values[-1]


def any_crossing(events):
    """It takes any step of another thread between a read and a write for a loss.
    Reads do no harm: look for a WRITE of another thread.
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


def overwritten_not_overwriting(events):
    """The index is that of the write that was lost. Asked is the later write that
    overwrote it.
    """
    held, seen, last, found = None, {}, None, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((last, held - seen[thread]))
            last = index
        held = value
    return found[0] if found else None


def index_of_the_read(events):
    """The index is that of the read that went out of date. Asked is the write that
    used it.
    """
    held, seen, read, found = None, {}, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread], read[thread] = value, index
        else:
            if held is not None and seen[thread] != held:
                found.append((read[thread], held - seen[thread]))
        held = value
    return found[0] if found else None


def number_among_writes(events):
    """The index counts writes only. Asked is the place among all events."""
    held, seen, writes, found = None, {}, 0, []
    for _, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((writes, held - seen[thread]))
            writes += 1
        held = value
    return found[0] if found else None


def one_late(events):
    """The index is one too large: the first event has the index 0."""
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index + 1, held - seen[thread]))
        held = value
    return found[0] if found else None


def last_loss(events):
    """It returns the last write that loses an update. Asked is the first."""
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return found[-1] if found else None


def largest_loss(events):
    """It returns the write with the largest loss. Asked is the first."""
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return max(found, key=lambda f: f[1], default=None)


def only_growth(events):
    """It looks only for a thread that had read less than the variable held. An
    update may be negative, and be lost as well: look for any difference.
    """
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and seen[thread] < held:
            return index, held - seen[thread]
        held = seen[thread] = value
    return None


def one_seen(events):
    """It keeps one last read for all threads. Each thread builds on a read of its
    OWN: remember one for each.
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
    """It looks for two writes in a row. A read of some thread may stand between the
    write that is lost and the one that overwrites it.
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
    """It takes the first write that changes the value, which each write does.
    Compare what the variable held with what this thread had read.
    """
    held = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "write" and value != held:
            return index, held - value
        held = value
    return None


def zero_for_nothing(events):
    """Where nothing is lost, it returns (0, 0). Asked is None."""
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif seen[thread] != held:
            return index, held - seen[thread]
        held = value
    return 0, 0.0


def nothing_found(events):
    """It finds no loss in any recording: no return is reached, or what the variable
    holds and what a thread has seen never differ. Another thread's write changes
    only the first.
    """
    held = seen = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "write" and seen != held:
            return index, held - seen
        held = seen = value
    return None


MISTAKES = (
    value_falls,
    any_crossing,
    first_read,
    overwritten_not_overwriting,
    index_of_the_read,
    number_among_writes,
    one_late,
    last_loss,
    largest_loss,
    own_amount,
    change_of_the_value,
    sign,
    only_growth,
    amount_without_sign,
    one_seen,
    two_writes,
    any_change,
    zero_for_nothing,
    what_was_held,
    nothing_found,
    all_losses,
)
