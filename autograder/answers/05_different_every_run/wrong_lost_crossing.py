"""Any step of another thread between read and write."""

EXPECT = {"05/my_lost_update": "WRONG any_crossing"}


def my_lost_update(events):
    seen = {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif events[index - 1][0] != thread or events[index - 1][1] != "read":
            return index, events[index - 1][2] - seen[thread]
