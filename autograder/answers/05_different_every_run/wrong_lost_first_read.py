"""Keep only the first read of each thread."""

EXPECT = {"05/my_lost_update": "WRONG first_read"}


def my_lost_update(events):
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen.setdefault(thread, value)
        else:
            if seen[thread] != held:
                return index, held - seen[thread]
            held = value
