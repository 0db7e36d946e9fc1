"""itertools adds up."""

from itertools import accumulate

EXPECT = {"11/my_first_failure": "RIGHT"}


def my_first_failure(events, limit):
    sums = accumulate(change for _, change in events)
    return next(((i, s - limit) for i, s in enumerate(sums) if s > limit), None)
