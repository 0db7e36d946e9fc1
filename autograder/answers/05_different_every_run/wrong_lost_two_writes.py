"""Two writes in a row."""

EXPECT = {"05/my_lost_update": "WRONG two_writes"}


def my_lost_update(events):
    seen = {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            before, what, held = events[index - 1]
            if what == "write" and before != thread:
                return index, held - seen[thread]
