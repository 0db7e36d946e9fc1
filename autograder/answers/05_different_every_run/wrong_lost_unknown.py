"""Half the amount: no known mistake."""

EXPECT = {"05/my_lost_update": "WRONG"}


def my_lost_update(events):
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, (held - seen[thread]) / 2))
        held = value
    return found[0] if found else None
