"""Starts from zero after each free."""

EXPECT = {"11/my_first_failure": "WRONG starts_again"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken = taken + change if change > 0 else 0
        if taken > limit:
            return index, taken - limit
    return None
