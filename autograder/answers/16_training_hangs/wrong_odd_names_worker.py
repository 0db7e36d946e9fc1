"""The worker by its name."""

EXPECT = {"16/my_first_odd": "CRASHED"}


def my_first_odd(calls):
    return "worker 1", 4
