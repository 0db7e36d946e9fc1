"""Who waits least."""

EXPECT = {"15/my_slow_one": "WRONG least_wait"}


def my_slow_one(steps):
    waits = {}
    for worker, _step, _began, entered, left in steps:
        waits[worker] = waits.get(worker, 0.0) + left - entered
    return min(waits, key=waits.get)
