"""Count the events from 1."""

EXPECT = {"05/my_lost_update": "WRONG one_late"}


def my_lost_update(events):
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index + 1, held - seen[thread]))
        held = value
    return found[0] if found else None
