"""The largest loss."""

EXPECT = {"05/my_lost_update": "WRONG largest_loss"}


def my_lost_update(events):
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return max(found, key=lambda f: f[1], default=None)
