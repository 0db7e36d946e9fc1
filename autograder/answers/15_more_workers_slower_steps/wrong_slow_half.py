"""Half of the steps is enough."""

EXPECT = {"15/my_slow_one": "WRONG half_is_enough"}


def my_slow_one(steps):
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        *_, second, first = sorted(works, key=works.get)
        slow.append(first if works[first] >= 2 * works[second] else None)
    for worker in set(slow) - {None}:
        if 2 * slow.count(worker) >= len(slow):
            return worker
