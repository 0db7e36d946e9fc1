"""Remember what each thread has seen."""

EXPECT = {"05/my_lost_update": "RIGHT"}


def my_lost_update(events):
    held, seen = None, {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif held is not None and seen[thread] != held:
            return index, held - seen[thread]
        held = value
    return None
