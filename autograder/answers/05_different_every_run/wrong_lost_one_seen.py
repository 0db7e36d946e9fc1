"""Keep one last read for all threads."""

EXPECT = {"05/my_lost_update": "WRONG one_seen"}


def my_lost_update(events):
    held = seen = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "read":
            seen = value
        elif seen != held:
            return index, held - seen
        held = value
    return None
