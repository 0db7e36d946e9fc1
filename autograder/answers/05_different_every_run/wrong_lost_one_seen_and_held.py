"""Let every event change what all threads have seen."""

EXPECT = {"05/my_lost_update": "WRONG nothing_found"}


def my_lost_update(events):
    held = seen = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "write" and seen != held:
            return index, held - seen
        held = seen = value
    return None
