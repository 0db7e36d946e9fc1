"""Keep the amount in use."""

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    in_use = 0.0
    for index in range(len(events)):
        in_use = in_use + events[index][1]
        if in_use - limit > 0:
            return [index, in_use - limit]
