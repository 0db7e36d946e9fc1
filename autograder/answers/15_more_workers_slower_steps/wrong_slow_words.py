"""A sentence."""

EXPECT = {"15/my_slow_one": "CRASHED"}


def my_slow_one(steps):
    return "worker 1"
