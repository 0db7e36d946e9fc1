"""A name that does not exist."""

EXPECT = {"15/my_slow_one": "CRASHED"}


def my_slow_one(steps):
    return steps[0].worker
