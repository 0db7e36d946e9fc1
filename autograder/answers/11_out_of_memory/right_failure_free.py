"""Follow what is free instead."""

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    free = limit
    for index, (_, change) in enumerate(events):
        free -= change
        if free < 0:
            return index, -free
    return None
