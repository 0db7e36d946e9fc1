"""Rounded as the events are, to one decimal."""

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, round(taken - limit, 1)
    return None
