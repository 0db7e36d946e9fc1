"""Twice as long as the fastest, not as every other."""

EXPECT = {"15/my_slow_one": "WRONG not_every_other"}


def my_slow_one(steps):
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        first = max(works, key=works.get)
        slow.append(first if works[first] >= 2 * min(works.values()) else None)
    worker = max(slow, key=slow.count)
    return worker if 2 * slow.count(worker) > len(slow) else None
