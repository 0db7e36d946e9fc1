"""Mean work, twice that of the next."""

EXPECT = {"15/my_slow_one": "WRONG mean_work"}


def my_slow_one(steps):
    work = {}
    for worker, _step, began, entered, _left in steps:
        work[worker] = work.get(worker, 0.0) + entered - began
    *_, second, first = sorted(work, key=work.get)
    return first if work[first] >= 2 * work[second] else None
