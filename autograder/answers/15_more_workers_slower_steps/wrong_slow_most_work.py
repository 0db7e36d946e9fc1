"""The most own work in all."""

EXPECT = {"15/my_slow_one": "WRONG longest_work_always"}


def my_slow_one(steps):
    work = {}
    for worker, _step, began, entered, _left in steps:
        work[worker] = work.get(worker, 0.0) + entered - began
    return max(work, key=work.get)
