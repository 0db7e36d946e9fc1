"""The amount in whole MB, by int()."""

EXPECT = {"11/my_first_failure": "WRONG cut_to_whole"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, int(taken - limit)
    return None
