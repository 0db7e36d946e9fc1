"""The index of the write that was lost."""

EXPECT = {"05/my_lost_update": "WRONG overwritten_not_overwriting"}


def my_lost_update(events):
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
