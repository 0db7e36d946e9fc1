"""The longest single piece of work."""

EXPECT = {"15/my_slow_one": "WRONG largest_work"}


def my_slow_one(steps):
    return max(steps, key=lambda step: step[3] - step[2])[0]
