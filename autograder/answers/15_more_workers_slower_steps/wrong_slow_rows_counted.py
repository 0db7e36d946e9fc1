"""More than half of the rows: a step has one for each worker."""

EXPECT = {"15/my_slow_one": "WRONG nobody"}


def my_slow_one(steps):
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        *_, second, first = sorted(works, key=works.get)
        slow.append(first if works[first] >= 2 * works[second] else None)
    for worker in set(slow) - {None}:
        if slow.count(worker) > len(steps) / 2:
            return worker
