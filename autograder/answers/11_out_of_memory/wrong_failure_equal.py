"""The limit itself is refused."""

EXPECT = {"11/my_first_failure": "WRONG limit_itself_refused"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken >= limit:
            return index, taken - limit
    return None
