"""The shipped code, renamed."""

EXPECT = {"15/my_slow_one": "NOT ATTEMPTED"}


def my_slow_one(steps):
    waits = {}
    for worker, _step, _began, entered, left in steps:
        waits[worker] = waits.get(worker, 0.0) + left - entered
    return max(waits, key=waits.get)
