"""Any write that changes the value."""

EXPECT = {"05/my_lost_update": "WRONG any_change"}


def my_lost_update(events):
    held = events[0][2]
    for index, (_, kind, value) in enumerate(events):
        if kind == "write" and value != held:
            return index, held - value
        held = value
    return None
