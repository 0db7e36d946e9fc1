"""The shipped code, reformatted."""

EXPECT = {"05/my_lost_update": "NOT ATTEMPTED"}


def my_lost_update(events):
    held = events[0][2]

    for index, (thread, kind, value) in enumerate(events):  # noqa: B007
        if kind == "write" and value < held:  # it falls
            return index, held - value
        held = value

    return None
