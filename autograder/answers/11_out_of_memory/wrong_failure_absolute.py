"""What is given back is added."""

EXPECT = {"11/my_first_failure": "WRONG given_back_is_added"}


def my_first_failure(events, limit):
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += abs(change)
        if taken > limit:
            return index, taken - limit
    return None
