"""What was given back is not subtracted."""

EXPECT = {"11/my_first_failure": "WRONG nothing_given_back"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += max(0, change)
        if taken > limit:
            return index, taken - limit
    return None
