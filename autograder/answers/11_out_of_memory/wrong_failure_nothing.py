"""Never finds anything."""

EXPECT = {"11/my_first_failure": "WRONG nothing_found"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > 1e9:
            return index, taken - limit
    return None
