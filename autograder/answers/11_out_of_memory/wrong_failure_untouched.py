"""The shipped code, reformatted."""

EXPECT = {"11/my_first_failure": "NOT ATTEMPTED"}


def my_first_failure(events, limit):
    taken = 0

    for index, (name, change) in enumerate(events):  # noqa: B007
        taken += max(change, 0)  # what is taken
        if taken > limit:
            return index, taken - limit

    return None
