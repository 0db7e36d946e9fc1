"""The amount in whole MB, by round()."""

EXPECT = {"11/my_first_failure": "WRONG rounded"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, round(taken - limit)
    return None
