"""Take only a variable that has grown for a loss."""

EXPECT = {"05/my_lost_update": "WRONG only_growth"}


def my_lost_update(events):
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and seen[thread] < held:
            return index, held - seen[thread]
        held = seen[thread] = value
    return None
