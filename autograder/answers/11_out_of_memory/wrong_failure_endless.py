"""A loop that never ends."""

EXPECT = {"11/my_first_failure": "CRASHED"}


def my_first_failure(events, limit):
    index = taken = 0
    while taken <= limit:
        taken += max(0, 0 * index)
    return index, taken - limit
