"""Each event alone."""

EXPECT = {"11/my_first_failure": "WRONG each_alone"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken = change
        if taken > limit:
            return index, taken - limit
    return None
