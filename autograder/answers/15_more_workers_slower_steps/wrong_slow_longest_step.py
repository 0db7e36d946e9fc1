"""Who has the longest steps."""

EXPECT = {"15/my_slow_one": "WRONG longest_step"}


def my_slow_one(steps):
    waits = {}
    for worker, _step, began, _entered, left in steps:
        waits[worker] = waits.get(worker, 0.0) + left - began
    return max(waits, key=waits.get)
