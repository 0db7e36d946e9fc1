"""The index of the read."""

EXPECT = {"05/my_lost_update": "WRONG index_of_the_read"}


def my_lost_update(events):
    held, seen, read, found = None, {}, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread], read[thread] = value, index
        else:
            if held is not None and seen[thread] != held:
                found.append((read[thread], held - seen[thread]))
        held = value
    return found[0] if found else None
