"""Return how far the two values are apart."""

EXPECT = {"05/my_lost_update": "WRONG amount_without_sign"}


def my_lost_update(events):
    held, seen = events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "write" and seen[thread] != held:
            return index, abs(held - seen[thread])
        held = seen[thread] = value
    return None
