"""Zero instead of None where nothing is lost."""

EXPECT = {"05/my_lost_update": "CRASHED"}


def my_lost_update(events):
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return found[0] if found else 0
