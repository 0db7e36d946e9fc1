"""Two numbers."""

EXPECT = {"15/my_slow_one": "CRASHED"}


def my_slow_one(steps):
    return 1, 0.08
