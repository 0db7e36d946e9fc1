"""The mean wait, and the longest of them."""

EXPECT = {"15/my_slow_one": "WRONG longest_wait"}


def my_slow_one(steps):
    waits = {}
    for worker, _, _, entered, left in steps:
        waits.setdefault(worker, []).append(left - entered)
    return max(waits, key=lambda worker: sum(waits[worker]) / len(waits[worker]))
