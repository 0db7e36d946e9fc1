"""From each write, look back to the last read of its thread."""

EXPECT = {"05/my_lost_update": "RIGHT"}


def my_lost_update(events):
    for index, (thread, kind, _) in enumerate(events):
        if kind != "write":
            continue
        last = max(i for i in range(index) if events[i][:2] == (thread, "read"))
        others = [v for t, k, v in events[last:index] if k == "write" and t != thread]
        if others:
            return index, others[-1] - events[last][2]
