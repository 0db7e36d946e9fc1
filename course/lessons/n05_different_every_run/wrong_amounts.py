"""Wrong answers to 05/my_lost_update that find the right write, and a wrong amount."""

from __future__ import annotations


def own_amount(events):
    """The amount is what this thread added. Asked is what the OTHERS added since it
    read, which is gone.
    """
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, value - seen[thread]))
        held = value
    return found[0] if found else None


def change_of_the_value(events):
    """The amount is the change of the value by this write. That mixes what was lost
    with what this thread added.
    """
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - value))
        held = value
    return found[0] if found else None


def sign(events):
    """The amount has the wrong sign: what the variable held before the write, minus
    what the thread had read.
    """
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, seen[thread] - held))
        held = value
    return found[0] if found else None


def amount_without_sign(events):
    """The amount has lost its sign: a negative update that is lost is a negative
    amount.
    """
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and seen[thread] != held:
            return index, abs(held - seen[thread])
        held = seen[thread] = value
    return None


def what_was_held(events):
    """The amount is what the variable held. Take off what the thread had read."""
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif seen[thread] != held:
            return index, held
        held = value
    return None


def all_losses(events):
    """The amount is the sum of all losses. Asked is that of the first one."""
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return (found[0][0], sum(f[1] for f in found)) if found else None
