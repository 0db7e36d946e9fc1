"""Count writes only."""

EXPECT = {"05/my_lost_update": "WRONG number_among_writes"}


def my_lost_update(events):
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
